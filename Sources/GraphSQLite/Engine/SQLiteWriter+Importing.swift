// The store's part of imports: savepoints, keys, and indexes for the time of the import. Called inside a transaction.
import GraphEngine
import GraphSQL

extension SQLiteWriter: ImportWriteSession {
    package var schema: StoreSchema { engine.schema }

    package func inSavepoint(_ body: () throws -> Void) throws {
        try engine.mapErrors {
            try connection.run("SAVEPOINT managedgraph_import")
            let mark = engine.files?.mark
            let changes = history?.count
            do {
                try body()
                try connection.run("RELEASE managedgraph_import")
            } catch {
                // If the disk is full, SQLite has already rolled back the whole transaction.
                if connection.isInTransaction {
                    try connection.run("ROLLBACK TO managedgraph_import")
                    try connection.run("RELEASE managedgraph_import")
                    if let mark { engine.files?.rollback(to: mark) }
                    if let changes { history?.removeChanges(after: changes) }
                }
                throw error
            }
        }
    }

    package func integers(_ sql: String) throws -> [[Int64?]] {
        try engine.mapErrors {
            try connection.rows(sql).map { row in
                row.map { if case .integer(let number) = $0 { number } else { nil } }
            }
        }
    }

    package func greatestKey(_ tree: TreeLayout) throws -> Int64? {
        try engine.mapErrors {
            let root = engine.schema.entities[tree.rootName]
            return try StoreFile.lastKey(rootEntity: root?.number ?? 0, of: root?.tableName, in: connection) ?? 0
        }
    }

    package func keepKeys(_ tree: TreeLayout, through key: Int64) throws {
        try engine.mapErrors {
            let root = engine.schema.entities[tree.rootName]?.number ?? 0
            let count = key - (try StoreFile.lastKey(rootEntity: root, in: connection) ?? key)
            guard count > 0 else { return }
            _ = try StoreFile.reserveKeys(Int(count), rootEntity: root, in: connection)
        }
    }

    private static var lookup: String { "managedgraph_import_" }

    package func prepareLookup(layout: EntityLayout, slots: [Int]) throws {
        try engine.mapErrors {
            guard let table = engine.schema.entities[layout.name]?.tableName else { return }
            let rows = try writer(layout)
            let columns = slots.flatMap { rows.columns(of: $0) }.map(\.sqliteName)
            guard columns.count == slots.count else { return }
            let list = columns.joined(separator: ", ")
            try connection.execute("CREATE INDEX \(Self.lookup)\(layout.tree.index) ON \(table.sqliteName) (\(list))")
        }
    }

    package func removeLookups() throws {
        try engine.mapErrors {
            for tree in engine.model?.trees ?? [] {
                try connection.execute("DROP INDEX IF EXISTS \(Self.lookup)\(tree.index)")
            }
        }
    }
}
