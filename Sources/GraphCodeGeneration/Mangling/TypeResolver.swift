// Looks up the names in a type as the compiler does: nested types first, then the module, then its imports. Used by
// DeclarationMangler. Throws an error with the unresolved name.

/// Resolves spelled types to canonical ones.
package struct TypeResolver: Sendable {
    private let index: SourceIndex
    private let dependencies: [SourceIndex]

    /// - Parameters:
    ///   - index: The types of the module itself.
    ///   - dependencies: The types of modules that it may import and whose sources were read.
    package init(index: SourceIndex, dependencies: [SourceIndex] = []) {
        self.index = index
        self.dependencies = dependencies
    }

    /// The canonical type of a spelling.
    ///
    /// - Parameters:
    ///   - expression: The type as written.
    ///   - scope: The scope of the spelling.
    /// - Returns: The type.
    /// - Throws: `UnresolvedType`.
    package func resolve(_ expression: TypeExpression, in scope: LookupScope) throws -> MangledType {
        let resolve = { (inner: TypeExpression) in try self.resolve(inner, in: scope) }
        switch expression {
        case .optional(let wrapped):
            return .optional(try resolve(wrapped))
        case .array(let element):
            return standard("Array", [try resolve(element)])
        case .dictionary(let key, let value):
            return standard("Dictionary", [try resolve(key), try resolve(value)])
        case .composition(let members):
            return try composition(try members.map(resolve))
        case .tuple(let elements):
            return .tuple(try elements.map { .init(label: $0.label, type: try resolve($0.type)) })
        case .metatype(let instance):
            return .metatype(try resolve(instance))
        case .unsupported(let text):
            throw UnresolvedType(name: text, reason: "a managed declaration cannot have a type of this form")
        case .named(let components):
            return try named(components, in: scope)
        }
    }

    private func standard(_ name: String, _ arguments: [MangledType]) -> MangledType {
        .nominal(NominalType(module: StandardTypes.module, name: name, kind: .structure), arguments)
    }

    private func named(_ components: [TypeExpression.Component], in scope: LookupScope) throws -> MangledType {
        let names = components.map(\.name)
        let arguments = try components.last?.arguments.map { try resolve($0, in: scope) } ?? []
        if components.dropLast().contains(where: { !$0.arguments.isEmpty }) {
            throw UnresolvedType(
                name: names.joined(separator: "."),
                reason: "a type inside a generic type is not supported in a managed declaration"
            )
        }
        if names.last == "Type", names.count > 1 {
            return .metatype(try named(components.dropLast(), in: scope))
        }
        if let declared = try declaredType(names, in: scope) { return apply(arguments, to: declared) }
        let unqualified = KnownModules.isModule(names[0]) && names.count > 1 ? Array(names.dropFirst()) : names
        switch unqualified.joined(separator: ".") {
        case "Any": return .existential([], superclass: nil)
        case "AnyObject": return .anyObject
        case "Optional" where arguments.count == 1: return .optional(arguments[0])
        default: return apply(arguments, to: try knownType(names))
        }
    }

    private func apply(_ arguments: [MangledType], to type: MangledType) -> MangledType {
        guard case .nominal(let nominal, _) = type else { return type }
        if nominal.components.last?.kind == .protocol { return .existential([nominal], superclass: nil) }
        return arguments.isEmpty ? type : .nominal(nominal, arguments)
    }

    // MARK: Lookup

    /// The whole path of a type or alias that this module declares inside another type; nil for other names.
    func nestedPath(of names: [String], in scope: LookupScope) -> [String]? {
        for outer in scope.searched {
            for base in [outer] + superclassPaths(of: outer, file: scope.file)
            where !base.isEmpty && index.entry(base + names.prefix(1), from: scope.file) != nil {
                return base + names
            }
        }
        return nil
    }

    /// A type of the module or of its dependencies.
    private func declaredType(_ names: [String], in scope: LookupScope) throws -> MangledType? {
        for outer in scope.searched {
            for base in [outer] + superclassPaths(of: outer, file: scope.file) {
                if let type = try member(base, names, file: scope.file) { return type }
            }
        }
        if names[0] == index.module, names.count > 1 {
            return try declaredType(Array(names.dropFirst()), in: LookupScope(file: scope.file))
        }
        for dependency in dependencies {
            let resolver = TypeResolver(index: dependency)
            if let type = try resolver.member([], names, file: "") { return type }
            if names[0] == dependency.module, names.count > 1,
                let type = try resolver.member([], Array(names.dropFirst()), file: "")
            {
                return type
            }
        }
        return nil
    }

    /// Follows `names` from `base`, resolving aliases.
    private func member(_ base: [String], _ names: [String], file: String) throws -> MangledType? {
        var path = base
        for (position, name) in names.enumerated() {
            path.append(name)
            guard let entry = index.entry(path, from: file) else {
                // The first name may be a known type that an extension in this module adds nested types to.
                if position == 0, base.isEmpty, KnownModules.type(name) != nil, names.count > 1 { continue }
                return nil
            }
            let isLast = position == names.count - 1
            switch entry.meaning {
            case .nominal(let type):
                if isLast { return .nominal(type, []) }
            case .alias(let target, let scope):
                if isLast { return try resolveAlias(target, in: scope, name: path) }
                guard let targetPath = target.path else { return nil }
                return try declaredType(targetPath + names[(position + 1)...], in: scope)
            }
        }
        return nil
    }

    private func resolveAlias(
        _ target: TypeExpression,
        in scope: LookupScope,
        name: [String]
    ) throws -> MangledType {
        // An alias with the name of its target in another module: `typealias Date = Foundation.Date`.
        if let path = target.path, path.count > 1, path.last == name.last, KnownModules.isModule(path[0]) {
            return try knownType(path)
        }
        return try resolve(target, in: scope)
    }

    private func knownType(_ names: [String]) throws -> MangledType {
        var path = names
        var module: String?
        if names.count > 1, KnownModules.isModule(names[0]) { module = path.removeFirst() }
        let name = path.joined(separator: ".")
        if let alias = KnownModules.alias(name, in: module) {
            return try TypeResolver(index: SourceIndex(module: "", types: [])).resolve(
                TypeExpression(text: alias),
                in: LookupScope()
            )
        }
        guard let type = KnownModules.type(name, in: module) else {
            throw UnresolvedType(
                name: names.joined(separator: "."),
                reason: "the type \(names.joined(separator: ".")) is declared neither in this target, nor in the "
                    + "targets it depends on, nor in Foundation. Declare the property without @NSManaged, as a "
                    + "computed property over value(forKey:), or move the type into this target"
            )
        }
        return .nominal(type, [])
    }

    /// The paths of the superclasses of a type that this module declares.
    private func superclassPaths(of path: [String], file: String) -> [[String]] {
        var result: [[String]] = []
        var current = path
        while result.count < 64, let superclass = index.entry(current, from: file)?.superclass?.path,
            index.entry(superclass, from: file) != nil
        {
            result.append(superclass)
            current = superclass
        }
        return result
    }

    // MARK: Compositions

    private func composition(_ members: [MangledType]) throws -> MangledType {
        var protocols: Set<NominalType> = []
        var superclass: NominalType?
        for member in members {
            switch member {
            case .existential(let inner, let bound):
                protocols.formUnion(inner)
                superclass = superclass ?? bound
            case .nominal(let type, let arguments) where arguments.isEmpty && type.components.last?.kind == .class:
                superclass = type
            default:
                throw UnresolvedType(name: "\(member)", reason: "this composition of types is not supported")
            }
        }
        // NSSecureCoding refines NSCoding: the compiler omits implied protocols.
        let foundation = { (name: String) in NominalType(module: "Foundation", name: name, kind: .protocol) }
        if protocols.contains(foundation("NSSecureCoding")) { protocols.remove(foundation("NSCoding")) }
        let sorted = protocols.sorted { ($0.module, $0.name) < ($1.module, $1.name) }
        return .existential(sorted, superclass: superclass)
    }
}

extension NominalType {
    /// The path inside the module.
    var name: String { components.map(\.name).joined(separator: ".") }
}
