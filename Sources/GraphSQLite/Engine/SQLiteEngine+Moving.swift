// Turns an in-memory database into a standalone store. Called when an atomic store is migrated to SQLite.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteEngine {
    /// Writes the highest key of each tree, and the identity and user metadata of the original store.
    package func prepareToBeCopied(identifier: String?, metadata values: [String: Any], storeType: String) throws {
        try requireWriter().read { connection in
            for tree in model?.trees ?? [] {
                guard let root = schema.entities[tree.rootName] else { continue }
                try connection.run(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT coalesce(max(Z_PK), 0) FROM "
                        + "\(root.tableName.sqliteName)) WHERE Z_ENT = ?",
                    [.integer(root.number)]
                )
            }
            var metadata = try StoreFile.readMetadata(connection)
            metadata.uuid = identifier ?? metadata.uuid
            for (key, value) in values where !StoreMetadata.isReserved(key) { metadata.values[key] = value }
            metadata.values[StoreMetadata.Key.storeType] = storeType
            try StoreFile.writeMetadata(metadata, connection)
        }
    }

    /// Creates the indexes of uniqueness constraints, which in-memory stores do not have.
    ///
    /// Throws `uniqueValue` if rows violate one.
    package func addConstraints(notIn engine: SQLiteEngine) throws {
        let existing = Set(engine.schema.createStatements)
        try requireWriter().read { connection in
            try connection.transaction(.immediate) {
                for statement in schema.createStatements where !existing.contains(statement) {
                    try connection.execute(statement)
                }
            }
        }
    }
}
