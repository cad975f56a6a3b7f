// What makes a database in memory a store that can stand on its own. Called when an atomic store is moved into tables.
import Foundation
import GraphSQL
import GraphSQLite

extension SQLiteStore {
    /// Writes the highest key of each tree and the identity of the store whose rows these are.
    func prepareToBeCopied(as store: NSPersistentStore) throws {
        try requireWriter().read { connection in
            for tree in model?.trees ?? [] {
                guard let root = schema.entities[tree.rootName] else { continue }
                try connection.run(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT coalesce(max(Z_PK), 0) FROM \(root.tableName)) WHERE Z_ENT = ?",
                    [.integer(root.number)]
                )
            }
            var metadata = try StoreFile.readMetadata(connection)
            metadata.uuid = store.identifier ?? metadata.uuid
            for (key, value) in store.metadata ?? [:] where !StoreMetadata.isReserved(key) {
                metadata.values[key] = value
            }
            metadata.values[StoreMetadata.Key.storeType] = NSSQLiteStoreType
            try StoreFile.writeMetadata(metadata, connection)
        }
    }

    /// Makes the indexes of uniqueness constraints, which rows in memory have not.
    ///
    /// Throws 133021 where rows contradict one.
    func addConstraints(notIn engine: SQLiteStore) throws {
        let known = Set(engine.schema.createStatements)
        try requireWriter().read { connection in
            try connection.transaction(.immediate) {
                for statement in schema.createStatements where !known.contains(statement) {
                    try connection.execute(statement)
                }
            }
        }
    }
}
