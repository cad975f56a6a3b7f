// Finds the names of Apple-only frameworks in a syntax node. Used by AppleOnlyRule.
import SwiftSyntax

/// The names in a syntax node that only Apple frameworks declare.
final class Mentions: SyntaxVisitor {
    struct Mention {
        var node: Syntax
        var name: String
        var module: String
    }

    /// Members of Core Data's own types that need CloudKit.
    static let cloudKitMembers: Set<String> = ["cloudKitContainerOptions", "initializeCloudKitSchema"]

    private let file: PortingFile
    private let index: CodeIndex
    private let imported: Set<String>
    private var mentions: [Mention] = []

    private init(_ file: PortingFile, _ index: CodeIndex, _ imported: Set<String>) {
        self.file = file
        self.index = index
        self.imported = imported
        super.init(viewMode: .sourceAccurate)
    }

    static func find(in node: Syntax, file: PortingFile, index: CodeIndex, imported: Set<String>) -> [Mention] {
        let visitor = Mentions(file, index, imported)
        visitor.walk(node)
        return visitor.mentions
    }

    private func look(_ name: String, _ node: some SyntaxProtocol) {
        guard !file.isLeftOut(node), !index.hasType(named: name),
            let module = AppleFrameworks.module(of: name, imported: imported)
        else { return }
        mentions.append(Mention(node: Syntax(node), name: name, module: module))
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        // Skip the condition, which itself names modules.
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        look(node.name.text, node)
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        // A name after a dot may be a member of any type; only the CloudKit members of Core Data are recognized.
        let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
        let name = node.baseName.text
        if !isMember || Self.cloudKitMembers.contains(name) {
            look(name, node)
        }
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
        preview(node.macroName.text, node)
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        preview(node.macroName.text, node)
    }

    private func preview(_ name: String, _ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
        if name == "Preview", !file.isLeftOut(node) {
            mentions.append(Mention(node: Syntax(node), name: "#Preview", module: "SwiftUI"))
        }
        return .visitChildren
    }
}
