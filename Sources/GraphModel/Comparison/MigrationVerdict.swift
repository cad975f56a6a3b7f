// Predicts whether lightweight migration is possible between two versions, with remedies if it is not. Called by
// `managedgraph model diff` and by GraphModelling. Adds remedies to the rules of MappingInference.

/// The prediction of a migration without a store.
package struct MigrationVerdict: Sendable, Hashable {
    /// An obstacle to the migration, with its remedy.
    package struct Refusal: Sendable, Hashable {
        package var entity: String
        package var property: String?
        package var reason: String
        package var remedy: String
    }

    /// Whether a store needs the migration to open.
    package var isNeeded: Bool
    package var refusals: [Refusal]
    /// Warnings about allowed changes that are probably unintended, such as a renaming without a renaming identifier.
    package var notes: [String]

    /// Whether a store of the old version can be opened with the new one, migrated or as it is.
    package var isPossible: Bool { refusals.isEmpty }

    /// Checks a migration.
    ///
    /// - Parameters:
    ///   - old: The version of existing stores.
    ///   - new: The version to migrate to.
    package init(from old: Model, to new: Model) { self.init(from: HashedModel(old), to: HashedModel(new)) }

    /// Checks a migration between versions with known hashes.
    ///
    /// - Parameters:
    ///   - source: The version of existing stores.
    ///   - destination: The version to migrate to.
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

    /// Whether the same problem is reported for a superentity that has the property.
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
