// An automatic migration by a mapping model: on a copy, into a new file that replaces the old one with one rename.
// During the migration the store cannot be opened elsewhere, and its own file is not written.
import Foundation
import GraphArchives
import GraphModel
import GraphSQL
import GraphSQLite

extension StoreMigrator {
    /// Migrates the store by a mapping model.
    ///
    /// - Parameters:
    ///   - mapping: The mapping model.
    ///   - source: The store's model.
    /// - Throws: 134110, which names the entity, the property and the reason.
    package func migrate(_ mapping: NSMappingModel, from source: Model) throws {
        do {
            if let database {
                return try database.replace(at: url, of: source.versionHashes(), isCopy: false) { new in
                    try migrate(mapping, from: source, at: url, to: new)
                }
            }
            try withExclusiveStore(of: source.versionHashes()) { connection, metadata in
                // The lock stays with the connection; a file that is being written could not be copied.
                try connection.rollback()
                let folder = try FilePlacement.makeFolder(for: .migration, of: url.path, isLocked: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let old = folder.appending(path: "Source.sqlite")
                let new = folder.appending(path: "Destination.sqlite")
                try StoreFile.copy(connection, to: old.path, replaces: false)
                try ExternalFiles.linkFolder(of: url, to: old)
                try migrate(mapping, from: source, at: old, to: new)
                try continueHistory(of: connection, in: new)
                try finish(new, uuid: metadata.uuid)
                try replace(with: new, connection)
            }
        } catch {
            throw CoreDataError.migrationFailed(url, error)
        }
    }

    /// Makes a new store by a mapping model.
    private func migrate(_ mapping: NSMappingModel, from source: Model, at old: URL, to new: URL) throws {
        let manager = NSMigrationManager(
            sourceModel: try NSManagedObjectModel(source),
            destinationModel: try NSManagedObjectModel(part)
        )
        manager.report = progress
        let type = NSPersistentStore.StoreType(rawValue: storeType)
        try manager.migrateStore(from: old, type: type, mapping: mapping, to: new, type: type)
        noteManager?(manager)
    }

    private func continueHistory(of old: Connection, in new: URL) throws {
        let connection = try StoreFile.open(at: new.path)
        defer { connection.close() }
        try StoreFile.continueHistory(of: old, in: connection)
    }

    /// Gives the new store the old one's identity, checks every page, and empties its log.
    func finish(_ new: URL, uuid: String) throws {
        let connection = try StoreFile.open(at: new.path)
        defer { connection.close() }
        var metadata = try StoreFile.readMetadata(connection)
        metadata.uuid = uuid
        try connection.execute("DELETE FROM Z_METADATA")
        try StoreFile.writeMetadata(metadata, connection)
        if let problem = try connection.firstProblem(checksIndexes: true) {
            throw MigrationFailure(.content, reason: "the migrated store is damaged: \(problem)")
        }
        try connection.setJournalMode("delete")
    }

    /// Puts the new file in the old one's place.
    func replace(with new: URL, _ connection: Connection) throws {
        try ExternalFiles.moveFolder(of: new, to: url)
        try StoreFile.install(new.path, inPlaceOf: url.path, lockedBy: connection)
    }

    /// Removes the files of a failed migration.
    static func removeStore(_ url: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        ExternalFiles.removeFolder(of: url)
    }
}
