// The private names of a file. Used by OverrideRule.
import SwiftSyntax

/// Names that are private to a file.
final class PrivateNames: SyntaxVisitor {
    private var names: Set<String> = []

    static func all(in file: PortingFile) -> Set<String> {
        let reader = PrivateNames(viewMode: .sourceAccurate)
        reader.walk(file.tree)
        return reader.names
    }

    private func look(_ modifiers: DeclModifierListSyntax, _ names: [String]) {
        if modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }) {
            self.names.formUnion(names)
        }
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        look(node.modifiers, [node.name.text])
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        look(node.modifiers, node.bindings.map { $0.pattern.trimmedDescription })
        return .skipChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        look(node.modifiers, [node.name.text])
        return .visitChildren
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        look(node.modifiers, [node.name.text])
        return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        look(node.modifiers, [node.name.text])
        return .visitChildren
    }
}
