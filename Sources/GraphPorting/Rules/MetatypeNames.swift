// The metatypes that a part of a file declares. Used by MetatypeRule.
import SwiftSyntax

/// Finds the declarations of metatypes.
final class MetatypeNames: SyntaxVisitor {
    private let name: String
    private var isFound = false

    private init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether a name is declared as a metatype of `NSManagedObject` inside a node.
    static func areDeclared(_ name: String, in node: Syntax) -> Bool {
        let reader = MetatypeNames(name)
        reader.walk(node)
        return reader.isFound
    }

    private func note(_ name: String, _ text: String?) {
        if name == self.name, text?.hasSuffix("NSManagedObject.Type") == true { isFound = true }
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        note((node.secondName ?? node.firstName).text, node.type.trimmedDescription)
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let text = node.typeAnnotation?.type.trimmedDescription ?? node.initializer?.value.trimmedDescription
        note(node.pattern.trimmedDescription, text)
        return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        let text = node.typeAnnotation?.type.trimmedDescription ?? node.initializer?.value.trimmedDescription
        note(node.pattern.trimmedDescription, text)
        return .visitChildren
    }
}
