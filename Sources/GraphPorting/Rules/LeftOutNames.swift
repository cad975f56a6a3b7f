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

    func module(of name: String) -> String { modules[name] ?? "ObjectiveC" }

    func isGlobal(_ name: String) -> Bool { global.contains(name) }

    func isMember(_ name: String, of types: [String]) -> Bool {
        types.contains { members[$0]?.contains(name) == true }
    }

    /// Whether a call of a name only displays something.
    func isPresentation(_ name: String, in enclosing: [String]) -> Bool {
        !types.contains(name) && (isGlobal(name) || isMember(name, of: enclosing))
    }
}
