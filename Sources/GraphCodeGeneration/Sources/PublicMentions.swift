// Whether a public declaration of a file names a type. Called by TargetGenerator for aliases, and by GraphPorting.
import SwiftParser
import SwiftSyntax

/// Looks for a type's name in the signatures of public declarations.
package final class PublicMentions: SyntaxVisitor {
    private let name: String
    private var isFound = false

    private init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    /// Whether a file names a type in the signature of something public.
    ///
    /// - Parameters:
    ///   - name: The type's name.
    ///   - text: The file's text; parsed only if the name is in it.
    /// - Returns: Whether it does.
    package static func areMade(of name: String, in text: String) -> Bool {
        guard text.contains(name), text.contains("public") || text.contains("open") else { return false }
        return areMade(of: name, in: Parser.parse(source: text))
    }

    /// Whether a piece of syntax names a type in the signature of something public.
    ///
    /// - Parameters:
    ///   - name: The type's name.
    ///   - node: The piece of syntax.
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

    /// Whether the declaration around a type is public: what lies in bodies and initial values is not.
    private func isPublic(_ node: Syntax) -> Bool {
        var current = node.parent
        while let parent = current {
            switch parent.kind {
            case .codeBlock, .initializerClause, .accessorBlock, .closureExpr: return false
            default: break
            }
            if parent.is(DeclSyntax.self),
                let modifiers = parent.asProtocol((any WithModifiersSyntax).self)?.modifiers
            {
                let levels = ["public", "open", "package", "internal", "fileprivate", "private"]
                if let level = modifiers.first(where: { levels.contains($0.name.text) && $0.detail == nil }) {
                    return ["public", "open"].contains(level.name.text)
                }
                // A member that says nothing has the access of the extension or protocol around it.
                guard let group = enclosing(parent), [.extensionDecl, .protocolDecl].contains(group.kind) else {
                    return false
                }
            }
            current = parent.parent
        }
        return false
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
