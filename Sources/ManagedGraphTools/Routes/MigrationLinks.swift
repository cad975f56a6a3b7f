// Maps the objects of a store to those they become over the steps of a route. Filled by MigrationRun in rehearsals,
// read by MigrationComparison.
import Foundation
import GraphModel
import ManagedGraph

/// The correspondence of objects at both ends of a route.
final class MigrationLinks {
    /// An object without its store.
    struct Place: Hashable {
        var entity: String
        var key: Int64
    }

    /// The correspondence established by one step.
    private enum Step {
        /// Objects keep their keys; the mapping relates the entities.
        case kept(ModelMapping)
        /// A mapping model makes new objects: its associations, source entity numbers by name, and destination names by
        /// number.
        case made([MigrationAssociations], sources: [String: Int32], destinations: [String])
    }

    private var steps: [Step] = []

    /// Adds an inferred step.
    func add(_ mapping: ModelMapping) { steps.append(.kept(mapping)) }

    /// Adds a step done by a mapping model.
    func add(_ manager: NSMigrationManager) {
        let sources = CompiledModel.of(manager.sourceModel).layouts.map(\.name)
        let numbers = Dictionary(sources.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
        let destinations = CompiledModel.of(manager.destinationModel).layouts.map(\.name)
        // In the order of the mapping model: the first object that a source becomes is the one its relationships lead
        // to.
        let tables = manager.mappingModel.entityMappings.compactMap { manager.associations[$0.name ?? ""] }
        steps.append(.made(tables, sources: numbers, destinations: destinations))
    }

    /// The objects that an object has become; empty if there are none.
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
