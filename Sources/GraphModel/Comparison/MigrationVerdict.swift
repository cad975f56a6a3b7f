// Whether lightweight migration leads from one version to another, and what to do where it does not. Called by
// `managedgraph model diff`. The rules are MappingInference's: here they are given remedies.

/// What can be said of a migration before there is a store.
package struct MigrationVerdict: Sendable, Hashable {
    /// What stands in the way, with its remedy.
    package struct Refusal: Sendable, Hashable {
        package var entity: String
        package var property: String?
        package var reason: String
        package var remedy: String
    }

    /// Whether a store opens as it is.
    package var isNeeded: Bool
    package var refusals: [Refusal]
    /// What is allowed and probably not meant, such as a property that seems to be renamed and says nothing of it.
    package var notes: [String]

    /// Whether a store of the old version can be opened with the new one, migrated or as it is.
    package var isPossible: Bool { refusals.isEmpty }

    /// Judges a migration.
    ///
    /// - Parameters:
    ///   - old: The version that stores have.
    ///   - new: The version they are to have.
    package init(from old: Model, to new: Model) { self.init(from: HashedModel(old), to: HashedModel(new)) }

    /// Judges a migration between versions whose hashes are known.
    ///
    /// - Parameters:
    ///   - source: The version that stores have.
    ///   - destination: The version they are to have.
    package init(from source: HashedModel, to destination: HashedModel) {
        let (old, new) = (source.model, destination.model)
        isNeeded = source.hashes != destination.hashes
        refusals = []
        let similar = LookAlikes(old, new)
        notes = similar.notes
        guard isNeeded else { return }
        do {
            _ = try MappingInference.infer(from: source, to: destination)
        } catch {
            let remedies = MigrationRemedies(old: old, new: new, similar: similar)
            refusals = error.problems.filter { !Self.isInherited($0, error.problems, new) }.map {
                Refusal(entity: $0.entity, property: $0.property, reason: $0.reason, remedy: remedies.remedy(for: $0))
            }
        }
    }

    /// Whether the same is said of the property where an entity above declares it.
    private static func isInherited(
        _ problem: MappingProblems.Problem,
        _ all: [MappingProblems.Problem],
        _ model: Model
    ) -> Bool {
        let byName = model.entitiesByName()
        guard let property = problem.property, let entity = byName[problem.entity] else { return false }
        let above = Set(model.lineage(of: entity, in: byName).dropLast().map(\.name))
        return all.contains { $0.property == property && $0.reason == problem.reason && above.contains($0.entity) }
    }
}
