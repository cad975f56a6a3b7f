// Removes the columns and tables that a deferred lightweight migration has left in a file, and that the store's model
// does not have. The store's metadata list them, one task each. Called by the coordinator, which finishes one task in a
// transaction, and before the next migration.
import Foundation
import GraphEngine
import GraphSQL

/// The remaining work of a deferred lightweight migration.
package enum DeferredMigration {
    /// Whether tasks are left.
    ///
    /// - Parameter values: A store's metadata.
    /// - Returns: Whether the metadata list a table or a column to remove.
    package static func isPending(_ values: [String: Any]) -> Bool { !tasks(values).isEmpty }

    /// The tables and columns to remove: a table's name, or `table.column`.
    private static func tasks(_ values: [String: Any]) -> [String] {
        values[StoreMetadata.Key.deferredTasks] as? [String] ?? []
    }

    /// The metadata with these tables and columns as the tasks that are left.
    static func noting(_ leftovers: [MigrationPlan.Leftover], in metadata: StoreMetadata) -> StoreMetadata {
        var metadata = metadata
        set(
            leftovers.map { leftover in
                switch leftover {
                case .table(let table): table
                case .column(let table, let name): "\(table).\(name)"
                }
            },
            &metadata.values
        )
        return metadata
    }

    private static func set(_ tasks: [String], _ values: inout [String: Any]) {
        values[StoreMetadata.Key.deferredTasks] = tasks.isEmpty ? nil : tasks
        values[StoreMetadata.Key.isDeferred] = tasks.isEmpty ? nil : true
    }

    /// Copies the list of tasks that are left.
    ///
    /// - Parameters:
    ///   - values: A store's metadata as stored in its file.
    ///   - target: The metadata to update.
    package static func copy(from values: [String: Any], to target: inout [String: Any]) { set(tasks(values), &target) }

    /// Finishes all tasks, in the caller's transaction.
    static func finish(_ connection: Connection, keeping schema: StoreSchema) throws {
        while try finishOne(connection, keeping: schema) != nil {}
    }

    /// Finishes one task, in the caller's transaction.
    ///
    /// The list is untrusted, as all content of a file: a task that names a table or a column of the store's model, a
    /// table of the store itself, or a table that the framework did not make, is dropped from the list unfinished.
    ///
    /// - Parameters:
    ///   - connection: In a transaction that the caller commits or rolls back.
    ///   - schema: The tables of the store's model.
    /// - Returns: The updated metadata; nil if nothing was left.
    /// - Throws: `SQLiteError`, `StoreFileError`.
    @discardableResult
    package static func finishOne(_ connection: Connection, keeping schema: StoreSchema) throws -> StoreMetadata? {
        var metadata = try StoreFile.readMetadata(connection)
        var left = tasks(metadata.values)
        guard !left.isEmpty else { return nil }
        let parts = left.removeFirst().split(separator: ".").map(String.init)
        if let table = parts.first, parts.count <= 2 {
            try remove(table, parts.count == 2 ? parts[1] : nil, connection, schema)
        }
        set(left, &metadata.values)
        try StoreFile.writeMetadata(metadata, connection)
        return metadata
    }

    private static func remove(_ table: String, _ column: String?, _ connection: Connection, _ schema: StoreSchema)
        throws
    {
        // Tables of entities and of relationships begin with Z, and those of the history with A.
        let name = table.uppercased()
        guard name.hasPrefix("Z"), !StoreSchema.ownTables.contains(name) else { return }
        let tables = schema.tables.map { ($0.name, $0.columns) } + schema.joinTables.map { ($0.name, $0.columns) }
        let schemaTable = tables.first { $0.0.uppercased() == name }
        let columns = try connection.columnNames(of: table)
        guard let column else {
            if schemaTable == nil, !columns.isEmpty { try connection.execute("DROP TABLE \(table.quotedName)") }
            return
        }
        let modelColumns = ["Z_PK", "Z_ENT", "Z_OPT"] + (schemaTable?.1.map(\.name) ?? [])
        guard columns.contains(column), !modelColumns.contains(column) else { return }
        try connection.execute("ALTER TABLE \(table.quotedName) DROP COLUMN \(column.quotedName)")
    }
}
