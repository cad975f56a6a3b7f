// The rest of a deferred migration, taken out of an open store. Called by the coordinator under its lock.
import Foundation
import GraphModel
import GraphSQLite

extension SQLiteStore {
    /// Whether a deferred migration is not finished, as far as this store knows.
    var hasDeferredWork: Bool { !isReadOnly && !isInMemory && DeferredMigration.isPending(metadata ?? [:]) }

    /// Does one piece of the work, in a transaction of its own; returns whether more is left.
    func finishDeferredTask() throws -> Bool {
        guard hasDeferredWork, let connection else { return false }
        return try mapErrors {
            endReadTransaction()
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
        let hadChanges = hasMetadataChanges
        var values = metadata ?? [:]
        DeferredMigration.copy(from: found.values, to: &values)
        metadata = values
        hasMetadataChanges = hadChanges
        noteSavedDeferredState(found.values)
    }
}
