// Finds the first uses of names in a file. Used by several rules.
import SwiftSyntax

/// Finds the first use of each of the given names.
final class NameReader: SyntaxVisitor {
    /// The names that were not found yet.
    private var names: Set<String>
    private let file: PortingFile
    private var uses: [TokenSyntax] = []

    private init(_ names: Set<String>, _ file: PortingFile) {
        self.names = names
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    /// The first use of any of the names.
    static func first(of names: Set<String>, in file: PortingFile) -> TokenSyntax? {
        firstUses(of: names, in: file).first
    }

    /// The first use of each name, in the order of the file.
    static func firstUses(of names: Set<String>, in file: PortingFile) -> [TokenSyntax] {
        let reader = NameReader(names, file)
        reader.walk(file.tree)
        return reader.uses
    }

    private func look(_ token: TokenSyntax) {
        guard names.contains(token.text), !file.isLeftOut(token) else { return }
        names.remove(token.text)
        uses.append(token)
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
