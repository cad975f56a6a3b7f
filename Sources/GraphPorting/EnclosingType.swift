// The type around a piece of code. Used by rules that look at a member's type.
import SwiftSyntax

extension SyntaxProtocol {
    /// The name of the type that the code is in, as its declaration or extension spells it; nil outside of types.
    var enclosingType: String? {
        var current = parent
        while let node = current {
            if let extended = node.as(ExtensionDeclSyntax.self) { return extended.extendedType.trimmedDescription }
            if node.asProtocol((any DeclGroupSyntax).self) != nil {
                return node.asProtocol((any NamedDeclSyntax).self)?.name.text
            }
            current = node.parent
        }
        return nil
    }
}
