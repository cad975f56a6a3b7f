// The properties of a registered class that Swift key paths can refer to: generated accessors, @NSManaged declarations
// and the user's own accessors of model properties, inherited ones included. Used by RegistrationWriter.
import GraphModel

/// Finds the members that represent model properties.
struct NamedKeyPaths {
    let classes: EntityClasses
    let sources: ManagedSources
    let keys: ManagedKeys

    /// The sorted names of members that other files can read.
    ///
    /// - Parameters:
    ///   - path: The class.
    ///   - lineage: The class and its superclasses in this target.
    /// - Returns: The names of members that are also model properties.
    func names(of path: [String], lineage: [[String]]) -> [String] {
        let isIsolated = lineage.contains {
            sources.classes[$0.joined(separator: ".")]?.declaration.isIsolated ?? false
        }
        guard !isIsolated else { return [] }
        // If no model file has the class because its model is built in code, rely on the managed declarations.
        let names = keys.properties(of: path).map { Set($0.keys) } ?? managedNames(lineage)
        return names.sorted().filter { isReadable($0, lineage) }
    }

    /// The members that are declared `@NSManaged`.
    private func managedNames(_ lineage: [[String]]) -> Set<String> {
        let managed = sources.declarations.properties.filter {
            $0.isManaged && !$0.isStatic && lineage.contains($0.context.enclosing)
        }
        return Set(managed.map(\.name))
    }

    private func isReadable(_ name: String, _ lineage: [[String]]) -> Bool {
        guard !SwiftName.isInherited(name) else { return false }
        let declared = sources.declarations.properties.filter {
            $0.name == name && !$0.isStatic && lineage.contains($0.context.enclosing)
        }
        if !declared.isEmpty {
            return declared.allSatisfy { property in
                property.context.condition == nil && !property.context.access.isFileLocal
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
