// One step of a migration along a route that is known. Called by MigrationRun.
import Foundation
import GraphModel
import GraphSQLite

extension StoreMigrator {
    /// Does one step in the store's own file, or, by a mapping model, in a new one that takes its place.
    ///
    /// - Parameters:
    ///   - hop: The step.
    ///   - progress: Told how much is done, from 0 to 1.
    /// - Throws: 134110, which names the entity, the property and the reason; what `progress` throws.
    func migrate(_ hop: MigrationHop, progress: @escaping (Double) throws -> Void) throws {
        switch hop.means {
        case .inferred(let mapping):
            try migrateInPlace(mapping, from: hop.source.model, progress: progress)
            links?.add(mapping)
        case .mapping(let mapping):
            var migrator = self
            migrator.progress = progress
            try migrator.migrate(NSMappingModel(mapping.file), from: hop.source.model)
        }
    }
}
