// Which object became which over the steps of a route. Filled by MigrationRun in rehearsals, read by MigrationComparison.
import Foundation
import GraphModel
import ManagedGraph

/// The objects of both ends of a route.
final class MigrationLinks {
    /// An object without its store.
    struct Place: Hashable {
        var entity: String
        var key: Int64
    }

    /// What one step makes of objects.
    private enum Step {
        /// Objects keep their keys; what becomes of entities.
        case kept(ModelMapping)
        /// New objects by a mapping model: entities' numbers in the keys, and their names.
        case made([MigrationAssociations], sources: [String: Int32], destinations: [String])
    }

    private var steps: [Step] = []

    /// Adds an inferred step.
    func add(_ mapping: ModelMapping) { steps.append(.kept(mapping)) }

    /// Adds a step that a mapping model has done.
    func add(_ manager: NSMigrationManager) {
        let sources = CompiledModel.of(manager.sourceModel).layouts.map(\.name)
        let numbers = Dictionary(sources.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
        let destinations = CompiledModel.of(manager.destinationModel).layouts.map(\.name)
        // In the order of the mapping model, so that what an object becomes first is what its relationships lead to.
        let tables = manager.mappingModel.entityMappings.compactMap { manager.associations[$0.name ?? ""] }
        steps.append(.made(tables, sources: numbers, destinations: destinations))
    }

    /// What an object has become; empty where it is gone.
    ///
    /// O(steps).
    func destinations(of place: Place) -> [Place] {
        var places = [place]
        for step in steps {
            places = places.flatMap { place in
                switch step {
                case .kept(let mapping):
                    return mapping.destination(of: place.entity).map { [Place(entity: $0, key: place.key)] } ?? []
                case .made(let tables, let sources, let destinations):
                    guard let number = sources[place.entity] else { return [] }
                    let key = MigrationKey(entity: number, primaryKey: place.key)
                    return tables.flatMap { $0.destinations(of: key) }.map {
                        Place(entity: destinations[Int($0.entity)], key: $0.primaryKey)
                    }
                }
            }
        }
        return places
    }
}
