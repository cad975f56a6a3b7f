// A migration along a route that is known: one step of it, or all of them on a copy that takes the store's place. Called by
// MigrationRun.
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
        case .mapping(let mapping):
            try migrate(NSMappingModel(mapping.file), from: hop.source.model)
            try progress(1)
        }
    }

    /// Puts a migrated copy in the store's place, while nobody else has it open.
    ///
    /// - Parameter body: Migrates the copy.
    /// - Throws: 134110, or what `body` throws; the store is then as it was.
    func migrateCopy(_ body: (URL) throws -> Void) throws {
        try withCopy(body)
    }
}
