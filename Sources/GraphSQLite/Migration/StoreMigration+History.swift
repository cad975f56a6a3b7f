// The history of a migrated store: deletes changes of removed entities and renumbers the others for the new model's
// entities and properties. Called within the migration's transaction.
import Foundation
import GraphSQL

extension StoreMigration {
    func writeHistory(_ connection: Connection) throws {
        guard try !connection.columnNames(of: "ACHANGE").isEmpty else { return }
        if !plan.removedNumbers.isEmpty {
            let list = plan.removedNumbers.map(String.init).joined(separator: ", ")
            try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(list))")
        }
        for change in plan.history {
            if let numbers = change.properties { try renumber(numbers, of: change.number, connection) }
            if let numbers = change.tombstones { try move(numbers, of: change.number, connection) }
        }
        let moved = plan.numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
        guard !moved.isEmpty else { return }
        let cases = moved.map { "WHEN \($0.value) THEN \($0.key)" }.joined(separator: " ")
        try connection.execute("UPDATE ACHANGE SET ZENTITY = CASE ZENTITY \(cases) ELSE ZENTITY END")
    }

    /// Renumbers the changed columns; there are few distinct sets of them.
    private func renumber(_ numbers: [Int: Int], of entity: Int64, _ connection: Connection) throws {
        let rows = try connection.rows(
            "SELECT DISTINCT ZCOLUMNS FROM ACHANGE WHERE ZENTITY = ? AND ZCOLUMNS NOT NULL",
            [.integer(entity)]
        )
        // Convert to text first, which no row uses, so that no set is renumbered twice.
        for case .blob(let bits)? in rows.map(\.first) {
            let new = HistorySchema.bits(HistorySchema.numbers(bits).compactMap { numbers[$0] }.sorted())
            let hex = new.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try connection.run(
                "UPDATE ACHANGE SET ZCOLUMNS = ? WHERE ZENTITY = ? AND ZCOLUMNS = ?",
                [.text("m" + hex), .integer(entity), .blob(bits)]
            )
        }
        for row in try connection.rows(
            "SELECT DISTINCT ZCOLUMNS FROM ACHANGE WHERE ZENTITY = ? AND typeof(ZCOLUMNS) = 'text'",
            [.integer(entity)]
        ) {
            guard case .text(let mask)? = row.first else { continue }
            let digits = Array(mask.dropFirst())
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<min($0 + 2, digits.count)]), radix: 16)
            }
            try connection.run(
                "UPDATE ACHANGE SET ZCOLUMNS = ? WHERE ZENTITY = ? AND ZCOLUMNS = ?",
                [.blob(Data(bytes)), .integer(entity), .text(mask)]
            )
        }
    }

    /// Moves the values of deleted rows to their new columns.
    private func move(_ numbers: [Int: Int], of entity: Int64, _ connection: Connection) throws {
        let columns = Set(try connection.columnNames(of: "ACHANGE"))
        let sources = Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
        var there = (0..<columns.count).map(HistorySchema.tombstoneColumn).filter { columns.contains($0) }
        while there.count <= (numbers.values.max() ?? -1) {
            let column = HistorySchema.tombstoneColumn(there.count)
            try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB")
            there.append(column)
        }
        let assignments = there.indices.map { index in
            let source = sources[index].map(HistorySchema.tombstoneColumn).flatMap { columns.contains($0) ? $0 : nil }
            return "\(there[index]) = \(source ?? "NULL")"
        }
        guard !assignments.isEmpty else { return }
        try connection.execute("UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) WHERE ZENTITY = \(entity)")
    }
}
