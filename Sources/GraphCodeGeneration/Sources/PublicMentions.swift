// Determines whether a declaration visible to other modules mentions a type. Used by TargetGenerator for aliases, and
// by GraphPorting.
import SwiftParser
import SwiftSyntax

/// Searches for a type's name in the signatures of public and package declarations, and in inlinable bodies.
package final class PublicMentions: SyntaxVisitor {
    private let name: String
    private var isFound = false

    private init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether a file mentions a type in a public signature.
    ///
    /// - Parameters:
    ///   - name: The type's name.
    ///   - text: The file's text; parsed only if it contains the name.
    /// - Returns: Whether it does.
    package static func areMade(of name: String, in text: String) -> Bool {
        guard text.contains(name), ["public", "open", "package"].contains(where: text.contains) else { return false }
        return areMade(of: name, in: Parser.parse(source: text))
    }

    /// Whether a syntax node mentions a type in a public signature.
    ///
    /// - Parameters:
    ///   - name: The type's name.
    ///   - node: The syntax node.
    /// - Returns: Whether it does.
    package static func areMade(of name: String, in node: some SyntaxProtocol) -> Bool {
        let reader = PublicMentions(name)
        reader.walk(node)
        return reader.isFound
    }

    override package func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text == name, isPublic(Syntax(node)) { isFound = true }
        return .visitChildren
    }

    override package func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if node.baseName.text == name, isPublic(Syntax(node)) { isFound = true }
        return .visitChildren
    }

    /// Whether the declaration around a type is public; initial values and bodies that are not inlinable do not count.
    private func isPublic(_ node: Syntax) -> Bool {
        var current = node.parent
        var isInBody = false
        while let parent = current {
            switch parent.kind {
            case .codeBlock, .accessorBlock, .closureExpr: isInBody = true
            case .initializerClause: isInBody = isInBody || !isTypeOfProperty(parent)
            default: break
            }
            if isInBody {
                if isInlined(parent) { return true }
            } else if parent.is(DeclSyntax.self),
                let modifiers = parent.asProtocol((any WithModifiersSyntax).self)?.modifiers
            {
                let levels = ["public", "open", "package", "internal", "fileprivate", "private"]
                if let level = modifiers.first(where: { levels.contains($0.name.text) && $0.detail == nil }) {
                    return ["public", "open", "package"].contains(level.name.text)
                }
                // A member without a modifier has the access of its extension or protocol.
                guard let group = enclosing(parent), [.extensionDecl, .protocolDecl].contains(group.kind) else {
                    return false
                }
            }
            current = parent.parent
        }
        return false
    }

    /// Whether a property's type is inferred from its initial value.
    private func isTypeOfProperty(_ clause: Syntax) -> Bool {
        guard let binding = clause.parent?.as(PatternBindingSyntax.self) else { return false }
        return binding.typeAnnotation == nil
    }

    private func isInlined(_ node: Syntax) -> Bool {
        let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
        return attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "inlinable" }
    }

    private func enclosing(_ node: Syntax) -> Syntax? {
        var current = node.parent
        while let parent = current {
            if parent.asProtocol((any DeclGroupSyntax).self) != nil { return parent }
            current = parent.parent
        }
        return nil
    }
}
