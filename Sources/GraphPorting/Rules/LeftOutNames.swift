// The declarations left out on other platforms, and their remaining uses there. Used by AppleOnlyRule.
import SwiftSyntax

/// Names of declarations that are left out.
struct LeftOutNames {
    /// Types and functions at file scope.
    private var global: Set<String> = []
    /// Members by type.
    private var members: [String: Set<String>] = [:]
    /// The missing module that each name was left out for.
    private var modules: [String: String] = [:]
    /// Types: the effects of their initializers are unknown, so a call of one is never left out.
    private var types: Set<String> = []

    mutating func add(declaration node: Syntax, enclosing: String?, module: String) {
        var names: [String] = []
        if let variable = node.as(VariableDeclSyntax.self) {
            names = variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
        } else if let declaration = node.asProtocol((any NamedDeclSyntax).self) {
            names = [declaration.name.text]
        }
        for name in names {
            modules[name] = module
            if node.asProtocol((any DeclGroupSyntax).self) != nil { types.insert(name) }
            if let enclosing { members[enclosing, default: []].insert(name) } else { global.insert(name) }
        }
        // Leaving out an extension leaves out its members too.
        guard let node = node.as(ExtensionDeclSyntax.self) else { return }
        for member in node.memberBlock.members {
            add(declaration: Syntax(member.decl), enclosing: node.extendedType.trimmedDescription, module: module)
        }
    }

    mutating func merge(_ other: LeftOutNames) {
        global.formUnion(other.global)
        members.merge(other.members) { $0.union($1) }
        modules.merge(other.modules) { first, _ in first }
        types.formUnion(other.types)
    }

    /// Reports remaining uses of declarations that are left out.
    func reportUses(in file: PortingFile, index: CodeIndex) {
        let imported = AppleFrameworks.closure(ImportRule.modules(of: file))
        let reader = UseReader(file, self, index, imported)
        reader.walk(file.tree)
    }

    fileprivate func module(of name: String) -> String { modules[name] ?? "ObjectiveC" }

    fileprivate func isGlobal(_ name: String) -> Bool { global.contains(name) }

    fileprivate func isMember(_ name: String, of types: [String]) -> Bool {
        types.contains { members[$0]?.contains(name) == true }
    }

    /// Whether a call of a name only displays something.
    fileprivate func isPresentation(_ name: String, in enclosing: [String]) -> Bool {
        !types.contains(name) && (isGlobal(name) || isMember(name, of: enclosing))
    }
}

private final class UseReader: SyntaxVisitor {
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

/// The types of variables and parameters, if the file declares them.
private final class VariableTypes: SyntaxVisitor {
    private var types: [String: Set<String>] = [:]

    init(_ file: PortingFile) {
        super.init(viewMode: .sourceAccurate)
        walk(file.tree)
    }

    /// The type of a variable; nil if the file declares none or several.
    func type(of base: String) -> String? {
        let name = base.filter { $0 != "?" && $0 != "!" }.split(separator: ".").last.map(String.init) ?? ""
        let matches = types[name] ?? []
        return matches.count == 1 ? matches.first : nil
    }

    private func add(_ name: String, _ type: TypeSyntax) {
        let typeName = type.trimmedDescription.filter { $0 != "?" && $0 != "!" }
        types[name, default: []].insert(typeName)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let name = node.pattern.trimmedDescription
        if let type = node.typeAnnotation?.type {
            add(name, type)
        } else if let call = node.initializer?.value.as(FunctionCallExprSyntax.self),
            let type = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        {
            types[name, default: []].insert(type)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        add((node.secondName ?? node.firstName).text, node.type)
        return .visitChildren
    }
}
