// Enables the persistent history of a store. Called when the store is opened.
import Foundation
import GraphSQL

extension SQLiteEngine {
    /// Sets up the history: once a file has one, every save is recorded in it.
    func prepareHistory(_ writer: SQLiteWriter) throws {
        let connection = writer.connection
        let isThere = try SQLiteReader.hasHistoryTables(connection)
        guard configuration.tracksHistory ?? isThere, !isReadOnly else { return }
        writer.history = HistoryLog(hasStrings: try !isThere || SQLiteReader.hasHistoryStrings(connection))
        guard try !isThere || !missingTombstones(connection).isEmpty else { return }
        try connection.transaction(.immediate) {
            // Another process may have created them meanwhile.
            if try !SQLiteReader.hasHistoryTables(connection) {
                for statement in HistorySchema.statements { try connection.execute(statement) }
            }
            for column in try missingTombstones(connection) {
                try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB")
            }
        }
    }

    /// Columns for preserved values that are missing from the table of changes.
    private func missingTombstones(_ connection: Connection) throws -> [String] {
        let present = Set(try connection.columnNames(of: "ACHANGE"))
        let count = model?.entities.map(\.preservedSlots.count).max() ?? 0
        return (0..<count).map(HistorySchema.tombstoneColumn).filter { !present.contains($0) }
    }
}
