// Finishes a deferred migration in an open store.
import GraphEngine
import GraphModel

extension SQLiteEngine {
    /// Removes one leftover, in its own transaction; returns the updated metadata.
    package func finishDeferredTask() throws -> StoreMetadata {
        try requireWriter().read { connection in
            var after: StoreMetadata?
            try connection.transaction(.immediate) {
                after = try DeferredMigration.finishOne(connection, keeping: schema)
            }
            let current = try after ?? StoreFile.readMetadata(connection)
            DeferredMigration.copy(from: current.values, to: &savedMetadata.values)
            return current
        }
    }
}
