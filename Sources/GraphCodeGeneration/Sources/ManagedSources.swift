// The managed object classes of a target and the facts about them in its sources. Built from declarations and the
// model's classes; used by the writers.

/// The parts of a target's sources that concern managed objects.
package struct ManagedSources: Sendable {
    package let declarations: SourceDeclarations
    package let index: SourceIndex
    package let dependencies: [SourceIndex]
    /// The path of the model, for messages that concern it.
    package let modelFile: String
    /// Managed object classes by dotted path.
    package private(set) var classes: [String: ManagedClass] = [:]
    private var pathsByName: [String: [String]] = [:]

    /// Examines the sources of a target.
    ///
    /// - Parameters:
    ///   - declarations: The declarations in them.
    ///   - index: The target's types.
    ///   - dependencies: The types of the targets that it depends on.
    ///   - generated: The names of the classes that are generated.
    ///   - extended: The names of the declared classes whose properties are generated.
    ///   - modelFile: The path of the model.
    package init(
        declarations: SourceDeclarations,
        index: SourceIndex,
        dependencies: [SourceIndex],
        generated: Set<String>,
        extended: Set<String>,
        modelFile: String
    ) {
        self.declarations = declarations
        self.index = index
        self.dependencies = dependencies
        self.modelFile = modelFile
        collect(generated: generated, extended: extended)
    }

    // MARK: Finding the classes

    private mutating func collect(generated: Set<String>, extended: Set<String>) {
        let declared = declarations.types.filter { $0.kind == .nominal(.class) && !$0.isGeneric }
        let byPath = Dictionary(declared.map { ($0.path.joined(separator: "."), $0) }) { first, _ in first }
        let withManagedMembers = Set(
            declarations.properties.filter(\.isManaged).map { $0.context.enclosing.joined(separator: ".") }
                + declarations.methods.filter(\.isManaged).map { $0.context.enclosing.joined(separator: ".") }
        )
        let conditions = Dictionary(grouping: declared) { $0.path.joined(separator: ".") }
            .mapValues { $0.map(\.context.condition) }
        var answers: [String: Bool] = [:]
        func isManaged(_ path: String) -> Bool {
            if let answer = answers[path] { return answer }
            answers[path] = false
            guard let type = byPath[path] else { return false }
            var answer = withManagedMembers.contains(path)
            // The superclass may be of another package, whose sources are not known.
            if type.context.enclosing.isEmpty, !type.inheritance.isEmpty {
                let names = [type.name, type.objectiveCName].compactMap(\.self)
                answer = answer || names.contains { extended.contains($0) }
            }
            if let name = type.inheritance.first?.path, let last = name.last {
                let parent = Self.superclassPath(name, of: type, in: byPath)
                answer =
                    answer || last == "NSManagedObject" || generated.contains(last)
                    || parent.map { isManaged($0.joined(separator: ".")) } ?? isManagedElsewhere(name)
            }
            answers[path] = answer
            return answer
        }
        for type in declared where isManaged(type.path.joined(separator: ".")) {
            let name = type.inheritance.first?.path
            let around = (0...type.context.enclosing.count).compactMap { depth -> Access? in
                let outer = type.context.enclosing.prefix(depth).joined(separator: ".")
                return declarations.types.first { $0.path.joined(separator: ".") == outer }?.context.access
            }
            let access = min(type.context.access, around.min() ?? .open)
            classes[type.path.joined(separator: ".")] = ManagedClass(
                declaration: type,
                superclassPath: name.flatMap { Self.superclassPath($0, of: type, in: byPath) },
                isFileLocal: access.isFileLocal,
                access: access,
                conditions: conditions[type.path.joined(separator: ".")] ?? []
            )
        }
        for item in classes.values.sorted(by: { $0.path.count < $1.path.count }) {
            for name in [item.declaration.name, item.declaration.objectiveCName].compactMap({ $0 })
            where pathsByName[name] == nil {
                pathsByName[name] = item.path
            }
        }
    }

    private static func superclassPath(
        _ name: [String],
        of type: DeclaredType,
        in declared: [String: DeclaredType]
    ) -> [String]? {
        for depth in stride(from: type.context.enclosing.count, through: 0, by: -1) {
            let candidate = type.context.enclosing.prefix(depth) + name
            if declared[candidate.joined(separator: ".")] != nil, Array(candidate) != type.path {
                return Array(candidate)
            }
        }
        return nil
    }

    /// Whether a dependency's class derives from NSManagedObject.
    private func isManagedElsewhere(_ name: [String]) -> Bool {
        for dependency in dependencies {
            var current = name.first == dependency.module ? Array(name.dropFirst()) : name
            for _ in 0..<64 {
                guard let superclass = dependency.entry(current, from: "")?.superclass?.path else { break }
                if superclass.last == "NSManagedObject" { return true }
                current = superclass
            }
        }
        return false
    }

    // MARK: Lookup by the class name used in the model

    /// The declared class that a name in the model refers to.
    package func managedClass(named name: String) -> ManagedClass? {
        pathsByName[name].flatMap { classes[$0.joined(separator: ".")] }
    }

    /// Whether a member is compiled wherever its class is.
    func isUnconditional(_ member: DeclarationContext) -> Bool {
        guard let condition = member.condition else { return true }
        return classes[member.enclosing.joined(separator: ".")]?.conditions == [condition]
    }

    /// The location of a class declaration.
    func declaration(ofClass name: String) -> SourceLocation? {
        managedClass(named: name)?.declaration.context.location
    }

    /// The qualified name of a class in source text.
    func path(ofClass name: String) -> String? {
        managedClass(named: name)?.path.map(SwiftName.declared).joined(separator: ".")
    }

    /// Whether a declared class is visible outside the module; nil for one that the target does not declare.
    func isPublic(class name: String) -> Bool? {
        managedClass(named: name).map { $0.access >= .public }
    }

    /// Whether the types in the text of a custom class may occur in a public signature.
    func isPublicType(_ text: String) -> Bool {
        let names = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }.map(String.init)
        return !declarations.types.contains { type in
            type.context.access < .public && names.contains(type.path.joined(separator: "."))
        }
    }

    /// Whether the sources declare `Identifiable` for a class or one of its superclasses in the target.
    func declaresIdentifiable(class name: String) -> Bool {
        var path = managedClass(named: name)?.path ?? [name]
        for _ in 0..<64 {
            let ofType = declarations.types.filter { $0.path == path }.flatMap(\.inheritance)
            let ofExtensions = declarations.extensions.filter { $0.path == path }.flatMap(\.inheritance)
            if (ofType + ofExtensions).contains(where: { $0.path?.last == "Identifiable" }) { return true }
            guard let parent = classes[path.joined(separator: ".")]?.superclassPath else { return false }
            path = parent
        }
        return false
    }

    /// Whether the user declares a property in a class or an extension of it.
    func declaresProperty(_ property: String, inClass name: String) -> Bool {
        let path = managedClass(named: name)?.path ?? [name]
        return declarations.properties.contains { $0.name == property && !$0.isStatic && $0.context.enclosing == path }
    }

    /// Whether the user declares a to-many accessor in a class or an extension of it.
    func declaresMethod(_ accessor: ToManyAccessor, inClass name: String) -> Bool {
        let path = managedClass(named: name)?.path ?? [name]
        let signature = accessor.signature.filter { $0 != " " }
        return declarations.methods.contains { method in
            guard !method.isStatic, method.context.enclosing == path else { return false }
            return Self.matches(method, signature)
        }
    }

    /// Compares name, labels and types, but not the inner names of parameters.
    private static func matches(_ method: DeclaredMethod, _ signature: String) -> Bool {
        guard let open = signature.firstIndex(of: "("), method.name == signature[..<open] else { return false }
        let parts = signature[signature.index(after: open)...].dropLast().split(separator: ",")
        guard parts.count == method.parameters.count else { return false }
        return zip(parts, method.parameters).allSatisfy { part, parameter in
            let label = parameter.label ?? "_"
            return part.hasPrefix(label) && part.hasSuffix(":" + parameter.typeText.filter { $0 != " " })
        }
    }
}
