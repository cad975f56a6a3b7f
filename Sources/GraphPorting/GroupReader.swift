// Reads the types of one file. Used by CodeIndex.
import SwiftSyntax

/// Finds types and extensions, including nested types.
final class GroupReader: SyntaxVisitor {
    private let file: PortingFile
    private var path: [String] = []
    var groups: [CodeIndex.Group] = []

    init(_ file: PortingFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    private func enter(
        _ names: [String],
        _ node: some DeclGroupSyntax,
        isExtension: Bool = false,
        isClass: Bool = false
    )
        -> SyntaxVisitorContinueKind
    {
        guard !file.isLeftOut(node) else { return .skipChildren }
        groups.append(
            CodeIndex.Group(path: path + names, node: node, file: file, isExtension: isExtension, isClass: isClass)
        )
        path += names
        return .visitChildren
    }

    private func leave(_ node: some DeclGroupSyntax, _ count: Int) {
        if !file.isLeftOut(node) { path.removeLast(count) }
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        enter([node.name.text], node, isClass: true)
    }
    override func visitPost(_ node: ClassDeclSyntax) { leave(node, 1) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], node) }
    override func visitPost(_ node: StructDeclSyntax) { leave(node, 1) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], node) }
    override func visitPost(_ node: EnumDeclSyntax) { leave(node, 1) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], node) }
    override func visitPost(_ node: ActorDeclSyntax) { leave(node, 1) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text], node) }
    override func visitPost(_ node: ProtocolDeclSyntax) { leave(node, 1) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(Self.names(node), node, isExtension: true)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { leave(node, Self.names(node).count) }

    private static func names(_ node: ExtensionDeclSyntax) -> [String] {
        node.extendedType.trimmedDescription.split(separator: ".").map(String.init)
    }
}
