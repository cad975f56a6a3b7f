// The properties of a registered class that Swift key paths can refer to: generated accessors, @NSManaged declarations
// and the user's own accessors of model properties, inherited ones included. Used by RegistrationWriter.
import GraphModel

/// Finds the members that represent model properties.
struct NamedKeyPaths {
    let classes: EntityClasses
    let sources: ManagedSources
    let keys: ManagedKeys

    /// The members that are model properties and that other files can read, sorted by their keys in the model.
    ///
    /// - Parameters:
    ///   - path: The class.
    ///   - lineage: The class and its superclasses in this target.
    /// - Returns: The keys, with the names of their members.
    func members(of path: [String], lineage: [[String]]) -> [(key: String, name: String)] {
        let isIsolated = lineage.contains {
            sources.classes[$0.joined(separator: ".")]?.declaration.isIsolated ?? false
        }
        guard !isIsolated else { return [] }
        let managed = sources.declarations.properties.filter {
            $0.isManaged && !$0.isStatic && lineage.contains($0.context.enclosing)
        }
        let names = Dictionary(managed.map { ($0.key, $0.name) }) { $1 }
        // If no model file has the class because its model is built in code, rely on the managed declarations.
        let keys = keys.properties(of: path).map { Set($0.keys) } ?? Set(names.keys)
        return keys.sorted().map { (key: $0, name: names[$0] ?? $0) }.filter { isReadable($0.name, lineage) }
    }

    private func isReadable(_ name: String, _ lineage: [[String]]) -> Bool {
        guard !SwiftName.isInherited(name) else { return false }
        let declared = sources.declarations.properties.filter {
            $0.name == name && !$0.isStatic && lineage.contains($0.context.enclosing)
        }
        if !declared.isEmpty {
            return declared.allSatisfy { property in
                sources.isUnconditional(property.context) && !property.context.access.isFileLocal
                    && !property.isHiddenFromObjectiveC
                    && (property.isManaged || (property.isComputed && property.isPlainlyReadable))
            }
        }
        return lineage.contains { path in
            let declaration = sources.classes[path.joined(separator: ".")]?.declaration
            for candidate in [declaration?.name ?? path.last, declaration?.objectiveCName].compactMap({ $0 }) {
                guard let item = classes.entityClass(named: candidate), item.codeGeneration != .manual else { continue }
                if item.properties.contains(where: { $0.name == name }) { return true }
            }
            return false
        }
    }
}
