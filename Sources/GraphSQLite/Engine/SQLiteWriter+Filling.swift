// Fills an empty store with the rows of another one, with their keys.
import GraphEngine
import GraphModel
import GraphSQL

extension SQLiteWriter: FillingWriteSession {
    package func beginFilling() { suspendedHistory = history.take() }

    package func advanceKeys(of tree: TreeLayout, beyond key: Int64) throws {
        guard key > 0, let root = engine.schema.entities[tree.rootName] else { return }
        try engine.mapErrors {
            try connection.run(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?",
                [.integer(key), .integer(root.number)]
            )
        }
    }

    package func restore(_ inserts: [RowOperation]) throws {
        try engine.mapErrors {
            // Before the times: a new version is a save for the triggers.
            try restoreVersions(inserts)
            var layout: EntityLayout?
            var times: [(slot: Int, sql: String)] = []
            for operation in inserts {
                if operation.layout !== layout {
                    layout = operation.layout
                    times = timesOfSaves(operation.layout)
                }
                for (slot, sql) in times {
                    try connection.run(sql, [SQLValue(operation.values[slot]), .integer(operation.primaryKey)])
                }
            }
        }
    }

    /// The statements that set the attributes of an entity which triggers set to the time of a save.
    private func timesOfSaves(_ layout: EntityLayout) -> [(slot: Int, sql: String)] {
        guard let entity = engine.schema.entities[layout.name] else { return [] }
        return layout.properties.indices.compactMap { slot -> (slot: Int, sql: String)? in
            guard layout.properties[slot].derivation == .now,
                case .attribute(let attribute)? = entity.properties[layout.properties[slot].name]
            else { return nil }
            return (slot, "UPDATE \(entity.tableName.sqliteName) SET \(attribute.column.sqliteName) = ? WHERE Z_PK = ?")
        }
    }

    private func restoreVersions(_ inserts: [RowOperation]) throws {
        var keys: [String: [Int64: [Int64]]] = [:]
        for operation in inserts where operation.version > 1 {
            guard let table = engine.schema.entities[operation.layout.name]?.tableName else { continue }
            keys[table, default: [:]][operation.version, default: []].append(operation.primaryKey)
        }
        for (table, keysByVersion) in keys {
            for (version, primaryKeys) in keysByVersion {
                try connection.run(
                    "UPDATE \(table.sqliteName) SET Z_OPT = ? WHERE Z_PK IN (SELECT value FROM json_each(?))",
                    [.integer(version), .text(SQLiteEngine.list(primaryKeys))]
                )
            }
        }
    }
}
