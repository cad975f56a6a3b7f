// Finds the first use of a name in a file. Used by several rules.
import SwiftSyntax

/// Finds the first use of any of the given names.
final class NameReader: SyntaxVisitor {
    private let names: Set<String>
    private let file: PortingFile
    private var match: TokenSyntax?

    private init(_ names: Set<String>, _ file: PortingFile) {
        self.names = names
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    static func first(of names: Set<String>, in file: PortingFile) -> TokenSyntax? {
        let reader = NameReader(names, file)
        reader.walk(file.tree)
        return reader.match
    }

    private func look(_ token: TokenSyntax) {
        if match == nil, names.contains(token.text), !file.isLeftOut(token) { match = token }
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        // Skip the condition, which itself names modules.
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        look(node.name)
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        look(node.baseName)
        return .visitChildren
    }
}
