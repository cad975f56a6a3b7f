// Reports the uses of declarations that are left out. Used by LeftOutNames.
import SwiftSyntax

/// Finds the uses, and leaves them out if the statement only displays something.
final class UseReader: SyntaxVisitor {
    private let file: PortingFile
    private let names: LeftOutNames
    private let index: CodeIndex
    private let imported: Set<String>
    private let variables: VariableTypes
    private var types: [String] = []

    init(_ file: PortingFile, _ names: LeftOutNames, _ index: CodeIndex, _ imported: Set<String>) {
        variables = VariableTypes(file)
        self.file = file
        self.names = names
        self.index = index
        self.imported = imported
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ name: String, _ node: some SyntaxProtocol) {
        guard !file.isLeftOut(node) else { return }
        let message = "\(name) is left out off Apple, as it needs a framework that is missing there, and is used here"
        let presentation = Presentation { [names, types, index, imported] name in
            names.isPresentation(name, in: types)
                || !index.hasType(named: name) && AppleFrameworks.module(of: name, imported: imported) != nil
        }
        guard let statement = LoneStatement.around(Syntax(node), inside: Syntax(file.tree), in: file),
            presentation.isPureStatement(statement)
        else {
            file.report(
                AppleOnlyRule.name,
                at: node,
                message,
                "Put this use under the same condition, or give \(name) another form for other platforms."
            )
            return
        }
        let module = names.module(of: name)
        let range = file.attachedStart(of: statement)..<statement.endPositionBeforeTrailingTrivia.utf8Offset
        file.leaveOut(range)
        file.report(
            AppleOnlyRule.name,
            at: node,
            message,
            "The statement is left out too if \(module) is missing.",
            edits: file.wrap(
                range,
                in: "canImport(\(module))",
                otherwise: LoneStatement.replacement(of: statement, in: file)
            )
        )
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if names.isGlobal(node.name.text), !types.contains(node.name.text) { report(node.name.text, node) }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text
        let access = node.parent?.as(MemberAccessExprSyntax.self)
        let isMember = access?.declName.id == node.id
        let base = access?.base?.trimmedDescription ?? ""
        let isOfSelf = !isMember || ["self", "self?", "self!", "Self"].contains(base)
        if !isMember, names.isGlobal(name) {
            report(name, node)
        } else if isOfSelf, names.isMember(name, of: types), !isLocal(name, node) {
            report(name, node)
        } else if isMember, !isOfSelf, let type = variables.type(of: base), names.isMember(name, of: [type]) {
            report(name, node)
        }
        return .visitChildren
    }

    /// Whether a parameter or a local variable has the name.
    private func isLocal(_ name: String, _ node: some SyntaxProtocol) -> Bool {
        var current = Syntax(node).parent
        var outermost: Syntax?
        while let parent = current, parent.asProtocol((any DeclGroupSyntax).self) == nil {
            if parent.is(DeclSyntax.self) { outermost = parent }
            current = parent.parent
        }
        return outermost.map { LocalNames.finds(name, in: $0) } ?? false
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        types.append(name)
        return .visitChildren
    }

    /// Searches for parameters and local variables in a member.
    private final class LocalNames: NameSearch {
        override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
            look(node.identifier, .visitChildren)
        }

        override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
            look(node.secondName ?? node.firstName, .visitChildren)
        }

        override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
            look(node.name, .visitChildren)
        }
    }
}
