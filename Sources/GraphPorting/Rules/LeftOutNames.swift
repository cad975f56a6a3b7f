// What was left out off Apple, and who still uses it there. Called by AppleOnlyRule.
import SwiftSyntax

/// Names of declarations that are left out.
struct LeftOutNames {
    /// Types and functions at the top of files, with the file that declares them.
    private var global: [String: String] = [:]
    /// Members by type.
    private var members: [String: Set<String>] = [:]
    /// The modules that names are left out for.
    private var modules: [String: String] = [:]

    mutating func add(declaration node: Syntax, enclosing: String?, module: String) {
        var names: [String] = []
        if let variable = node.as(VariableDeclSyntax.self) {
            names = variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
        } else if let named = node.asProtocol((any NamedDeclSyntax).self) {
            names = [named.name.text]
        }
        for name in names {
            modules[name] = module
            if let enclosing { members[enclosing, default: []].insert(name) } else { global[name] = name }
        }
    }

    mutating func merge(_ other: LeftOutNames) {
        global.merge(other.global) { first, _ in first }
        members.merge(other.members) { $0.union($1) }
        modules.merge(other.modules) { first, _ in first }
    }

    /// Reports what is left out and still mentioned.
    func reportUses(in file: PortingFile, index: CodeIndex) {
        let reader = UseReader(file, self)
        reader.walk(file.tree)
    }

    fileprivate func module(of name: String) -> String { modules[name] ?? "ObjectiveC" }

    fileprivate func isGlobal(_ name: String) -> Bool { global[name] != nil }

    fileprivate func isMember(_ name: String, of types: [String]) -> Bool {
        types.contains { members[$0]?.contains(name) == true }
    }
}

private final class UseReader: SyntaxVisitor {
    private let file: PortingFile
    private let names: LeftOutNames
    private var types: [String] = []

    init(_ file: PortingFile, _ names: LeftOutNames) {
        self.file = file
        self.names = names
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ name: String, _ node: some SyntaxProtocol) {
        guard !file.isLeftOut(node) else { return }
        let message = "\(name) is left out off Apple, as it needs a framework that is missing there, and is used here"
        guard let statement = LoneStatement.around(Syntax(node), inside: Syntax(file.tree), in: file) else {
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
        file.report(
            AppleOnlyRule.name,
            at: node,
            message,
            "The statement is left out too, where \(module) is missing.",
            edits: file.wrap(range, in: "canImport(\(module))")
        )
        file.leaveOut(range)
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if names.isGlobal(node.name.text), !types.contains(node.name.text) { report(node.name.text, node) }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text
        let access = node.parent?.as(MemberAccessExprSyntax.self)
        let isMember = access?.declName.id == node.id
        let isOfSelf = !isMember || ["self", "Self"].contains(access?.base?.trimmedDescription ?? "")
        if !isMember, names.isGlobal(name) {
            report(name, node)
        } else if isOfSelf, names.isMember(name, of: types), !isLocal(name, node) {
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
        return outermost.map { LocalNames.declares(name, in: $0) } ?? false
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

/// Looks for parameters and local variables in a member.
private final class LocalNames: SyntaxVisitor {
    private let name: String
    private var isFound = false

    private init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    static func declares(_ name: String, in member: Syntax) -> Bool {
        let reader = LocalNames(name)
        reader.walk(member)
        return reader.isFound
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        if node.identifier.text == name { isFound = true }
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        if (node.secondName ?? node.firstName).text == name { isFound = true }
        return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text == name { isFound = true }
        return .visitChildren
    }
}
