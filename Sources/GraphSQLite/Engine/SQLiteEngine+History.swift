// Turning the persistent history of a store on. Called when it is opened.
import Foundation
import GraphSQL

extension SQLiteEngine {
    /// Whether the file has a history: once it has one, all that is saved goes into it.
    func prepareHistory(_ writer: SQLiteWriter) throws {
        let connection = writer.connection
        let isThere = try SQLiteReader.hasHistoryTables(connection)
        guard configuration.tracksHistory ?? isThere, !isReadOnly else { return }
        writer.history = HistoryLog(hasStrings: try !isThere || SQLiteReader.hasHistoryStrings(connection))
        guard try !isThere || !missingTombstones(connection).isEmpty else { return }
        try connection.transaction(.immediate) {
            // Somebody else may have made them meanwhile.
            if try !SQLiteReader.hasHistoryTables(connection) {
                for statement in HistorySchema.statements { try connection.execute(statement) }
            }
            for column in try missingTombstones(connection) {
                try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB")
            }
        }
    }

    /// Columns of preserved values that the table of changes does not have yet.
    private func missingTombstones(_ connection: Connection) throws -> [String] {
        let present = Set(try connection.columnNames(of: "ACHANGE"))
        let count = model?.entities.map(\.preservedSlots.count).max() ?? 0
        return (0..<count).map(HistorySchema.tombstoneColumn).filter { !present.contains($0) }
    }
}
