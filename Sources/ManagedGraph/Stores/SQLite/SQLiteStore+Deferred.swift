// The rest of a deferred migration, taken out of an open store.
import Foundation
import GraphModel
import GraphSQLite

extension SQLiteStore {
    /// Whether a deferred migration is not finished, as far as this store knows.
    var hasDeferredWork: Bool { !isReadOnly && !isInMemory && DeferredMigration.isPending(metadata ?? [:]) }

    /// Does one piece of the work, in a transaction of its own; returns whether more is left.
    func finishDeferredTask() throws -> Bool {
        guard hasDeferredWork else { return false }
        return try requireWriter().read { connection in
            var after: StoreMetadata?
            try connection.transaction(.immediate) {
                after = try DeferredMigration.finishOne(connection, keeping: schema)
            }
            takeDeferredState(try after ?? StoreFile.readMetadata(connection))
            return hasDeferredWork
        }
    }

    /// Takes what the file says of the work left; what a user has set in the metadata stays.
    private func takeDeferredState(_ found: StoreMetadata) {
        metadataLock.withLock {
            let hadChanges = hasMetadataChanges
            var values = metadata ?? [:]
            DeferredMigration.copy(from: found.values, to: &values)
            metadata = values
            hasMetadataChanges = hadChanges
        }
        noteSavedDeferredState(found.values)
    }
}
