// The persistent history of a save: recorded as rows are written, stored in Apple's tables at the end of the same
// transaction. Owned by an SQLite store that tracks history.
import Foundation
import GraphEngine
import GraphSQL

/// The changes of one transaction.
final class HistoryLog {
    /// The origin of the current save.
    var origin = SaveOrigin()
    private var record = HistoryRecord()
    /// The number of the last transaction written.
    private(set) var lastTransaction: Int64?
    /// Cached keys of the string table.
    private var strings: [String: Int64] = [:]
    /// Whether transactions refer to their strings by key; the tables of frameworks of 2017 contain the strings
    /// themselves.
    let hasStrings: Bool

    init(hasStrings: Bool) { self.hasStrings = hasStrings }

    func inserted(_ entity: Int64, _ primaryKey: Int64) { record.inserted(entity, primaryKey) }

    /// Records changed properties; skips rows inserted in the same save.
    func updated(_ entity: Int64, _ primaryKey: Int64, _ columns: SlotSet) {
        record.updated(entity, primaryKey, columns)
    }

    func deleted(_ entity: Int64, _ primaryKey: Int64, _ tombstone: [Int: SQLValue]) {
        record.deleted(entity, primaryKey, tombstone)
    }

    /// The history numbers of slots, as used in the bits of changed columns.
    func numbers(_ layout: EntityLayout, _ slots: SlotSet) -> SlotSet { record.numbers(layout, slots) }

    /// Discards the changes of a failed save.
    func forget() {
        record.removeAll()
        strings = [:]
        lastTransaction = nil
    }

    /// Writes the transaction's history, inside the save's transaction.
    func write(_ connection: Connection) throws {
        let changes = record.changes
        guard !changes.isEmpty else { return }
        let process = ProcessInfo.processInfo.processName
        let bundle = Bundle.main.bundleIdentifier ?? process
        let number = try StoreFile.reserveKeys(1, rootEntity: HistorySchema.transactionNumber, in: connection)
            .lowerBound
        lastTransaction = number
        let columns = hasStrings ? HistorySchema.stringColumns : HistorySchema.textColumns
        let texts = try [origin.author, bundle, origin.contextName, process].map { name -> SQLValue in
            guard hasStrings else { return name.map(SQLValue.text) ?? .null }
            return try key(name, connection)
        }
        try connection.run(
            "INSERT INTO ATRANSACTION(Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", ")), ZTIMESTAMP) "
                + "VALUES(?, ?, NULL, ?, ?, ?, ?, ?)",
            [SQLValue.integer(number), .integer(HistorySchema.transactionNumber)] + texts
                + [SQLValue.real(Date().timeIntervalSinceReferenceDate)]
        )
        let keys = try StoreFile.reserveKeys(changes.count, rootEntity: HistorySchema.changeNumber, in: connection)
        let statement = try connection.prepare(
            "INSERT INTO ACHANGE(Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                + "VALUES(?, \(HistorySchema.changeNumber), NULL, ?, ?, ?, ?, ?)"
        )
        // Rows of a save often change the same columns.
        var latest: (columns: SlotSet, bits: Data)?
        for (key, change) in zip(keys, changes) {
            try statement.bind(1, key)
            try statement.bind(2, change.type)
            try statement.bind(3, change.row.entity)
            try statement.bind(4, change.row.primaryKey)
            try statement.bind(5, number)
            if change.columns.isEmpty {
                try statement.bindNull(6)
            } else {
                if latest?.columns != change.columns {
                    latest = (change.columns, Data(HistorySchema.bits(change.columns.members)))
                }
                if let latest { try statement.bind(6, latest.bits) }
            }
            try statement.run()
            for (column, value) in change.tombstone ?? [:] {
                try connection.run(
                    "UPDATE ACHANGE SET \(HistorySchema.tombstoneColumn(column)) = ? WHERE Z_PK = ?",
                    [value, .integer(key)]
                )
            }
        }
        record.removeAll()
    }

    /// The key of a string in the string table, inserted if it is not there.
    private func key(_ string: String?, _ connection: Connection) throws -> SQLValue {
        guard let string else { return .null }
        if let key = strings[string] { return .integer(key) }
        let select = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
        var value = try connection.rows(select, [.text(string)]).first?.first
        if value == nil {
            let newKey = try StoreFile.reserveKeys(1, rootEntity: HistorySchema.stringNumber, in: connection).lowerBound
            try connection.run(
                "INSERT INTO ATRANSACTIONSTRING(Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES(?, ?, NULL, ?)",
                [.integer(newKey), .integer(HistorySchema.stringNumber), .text(string)]
            )
            value = .integer(newKey)
        }
        if case .integer(let key)? = value { strings[string] = key }
        return value ?? .null
    }
}
