// A module's types by their paths, for name lookup. Built from SourceDeclarations and the classes that the model
// generates; used by TypeResolver and ManagedSources.

/// The types of one module.
package struct SourceIndex: Sendable {
    /// The declaration that a path refers to.
    enum Meaning: Sendable {
        case nominal(NominalType)
        /// An alias: its target, and the scope in which the target is resolved.
        case alias(TypeExpression, scope: LookupScope)
    }

    /// A declaration at a path; private types of several files may share one.
    struct Entry: Sendable {
        var meaning: Meaning
        var file: String
        var isFileLocal: Bool
        var superclass: TypeExpression?
    }

    package let module: String
    private(set) var entries: [String: [Entry]] = [:]

    /// Builds the index of a module.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - types: The types that its sources declare.
    ///   - generated: The classes that the model adds, with their superclasses.
    package init(module: String, types: [DeclaredType], generated: [(name: String, superclass: String)] = []) {
        self.module = module
        for type in generated {
            let nominal = NominalType(module: module, name: type.name, kind: .class)
            let entry = Entry(
                meaning: .nominal(nominal),
                file: "",
                isFileLocal: false,
                superclass: .named([.init(type.superclass)])
            )
            entries[type.name, default: []].append(entry)
        }
        // Add enclosing types first, as nested types refer to them.
        for type in types.sorted(by: { $0.context.enclosing.count < $1.context.enclosing.count }) { add(type) }
    }

    private mutating func add(_ type: DeclaredType) {
        guard !type.isGeneric || type.kind.isNominal else { return }
        let parent = type.context.enclosing
        let file = type.context.location.file
        let outer = entry(parent, from: file)
        let isLocal = type.context.access.isFileLocal || (outer?.isFileLocal ?? false)
        let meaning: Meaning
        switch type.kind {
        case .alias(let target):
            meaning = .alias(target, scope: LookupScope(type.context))
        case .nominal(let kind):
            var component = NominalType.Component(name: type.name, kind: kind)
            if type.context.access.isFileLocal, !(outer?.isFileLocal ?? false) {
                component.discriminator = PrivateDiscriminator.text(module: module, fileName: file.lastPathComponent)
            }
            if parent.isEmpty {
                meaning = .nominal(NominalType(module: module, components: [component]))
            } else if case .nominal(let enclosing)? = outer?.meaning {
                meaning = .nominal(NominalType(module: module, components: enclosing.components + [component]))
            } else if let enclosing = KnownModules.type(parent.joined(separator: ".")) {
                component.extensionModule = module
                let components = enclosing.components + [component]
                meaning = .nominal(NominalType(module: enclosing.module, components: components))
            } else {
                return
            }
        }
        let superclass = type.kind == .nominal(.class) ? type.inheritance.first : nil
        let entry = Entry(meaning: meaning, file: file, isFileLocal: isLocal, superclass: superclass)
        entries[type.path.joined(separator: "."), default: []].append(entry)
    }

    /// The declaration that a path refers to, as seen from a file.
    func entry(_ path: [String], from file: String) -> Entry? {
        guard !path.isEmpty, let candidates = entries[path.joined(separator: ".")] else { return nil }
        return candidates.first { $0.file == file } ?? candidates.first { !$0.isFileLocal }
    }

    /// Whether any type of the module, nested or not, has this name.
    func hasType(named name: String) -> Bool {
        entries.keys.contains { $0 == name || $0.hasSuffix(".\(name)") }
    }
}

extension DeclaredType.Kind {
    var isNominal: Bool {
        if case .nominal = self { true } else { false }
    }
}

extension String {
    /// The part after the last slash or backslash.
    var lastPathComponent: String {
        split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? self
    }
}
