// The rest of a deferred migration, taken out of an open store.
import GraphModel

extension SQLiteEngine {
    /// Does one piece of the work, in a transaction of its own; returns what the metadata say then.
    package func finishDeferredTask() throws -> StoreMetadata {
        try requireWriter().read { connection in
            var after: StoreMetadata?
            try connection.transaction(.immediate) {
                after = try DeferredMigration.finishOne(connection, keeping: schema)
            }
            let found = try after ?? StoreFile.readMetadata(connection)
            DeferredMigration.copy(from: found.values, to: &savedMetadata.values)
            return found
        }
    }
}
