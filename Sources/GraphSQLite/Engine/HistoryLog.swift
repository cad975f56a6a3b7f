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

    /// The number of changes so far, for a savepoint.
    var count: Int { record.changes.count }

    /// Discards the changes since a savepoint.
    func removeChanges(after count: Int) { record.removeChanges(after: count) }

    /// Discards the changes of a failed save.
    func forget() {
        record.removeAll()
        strings = [:]
        lastTransaction = nil
    }

    /// Discards the cached keys of strings, which another writer may have removed.
    func forgetStrings() { strings = [:] }

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
            "\(Self.insertInto) VALUES(?, \(HistorySchema.changeNumber), NULL, ?, ?, ?, ?, ?)"
        )
        // Rows of a save often change the same columns.
        var columnBits = ColumnBits()
        var next = 0
        while next < changes.count {
            let key = keys.lowerBound + Int64(next)
            if Self.areAlike(changes[next...].prefix(Self.mostTogether)) {
                try write(changes[next..<next + Self.mostTogether], key, number, &columnBits, connection)
                next += Self.mostTogether
                continue
            }
            let change = changes[next]
            try statement.bind(1, key)
            try statement.bind(2, change.type)
            try statement.bind(3, change.row.entity)
            try statement.bind(4, change.row.primaryKey)
            try statement.bind(5, number)
            try columnBits.bind(change.columns, to: statement, 6)
            try statement.run()
            for (column, value) in change.tombstone ?? [:] {
                try connection.run(
                    "UPDATE ACHANGE SET \(HistorySchema.tombstoneColumn(column)) = ? WHERE Z_PK = ?",
                    [value, .integer(key)]
                )
            }
            next += 1
        }
        record.removeAll()
    }

    private static let insertInto =
        "INSERT INTO ACHANGE(Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)"

    /// The number of changes that one statement writes.
    private static let mostTogether = 16

    /// Writes that many changes; marks: the first key, the four values that are the same in all, then the key of each row.
    private static let insertTogether: String = {
        let rows = (0..<mostTogether).map { place in
            "(?1 + \(place), \(HistorySchema.changeNumber), NULL, ?2, ?3, ?\(place + 6), ?4, ?5)"
        }
        return "\(insertInto) VALUES\(rows.joined(separator: ", "))"
    }()

    /// Whether changes are enough for one statement, and differ only in their rows.
    private static func areAlike(_ changes: ArraySlice<HistoryRecord.Change>) -> Bool {
        guard changes.count == mostTogether, let first = changes.first else { return false }
        return changes.allSatisfy {
            $0.type == first.type && $0.row.entity == first.row.entity && $0.columns == first.columns
                && $0.tombstone == nil
        }
    }

    private func write(
        _ changes: ArraySlice<HistoryRecord.Change>,
        _ firstKey: Int64,
        _ number: Int64,
        _ columnBits: inout ColumnBits,
        _ connection: Connection
    ) throws {
        guard let first = changes.first else { return }
        let statement = try connection.prepare(Self.insertTogether)
        try statement.bind(1, firstKey)
        try statement.bind(2, first.type)
        try statement.bind(3, first.row.entity)
        try statement.bind(4, number)
        try columnBits.bind(first.columns, to: statement, 5)
        for (place, change) in changes.enumerated() { try statement.bind(place + 6, change.row.primaryKey) }
        try statement.run()
    }

    /// The stored form of changed columns, kept for the next change.
    private struct ColumnBits {
        private var latest: (columns: SlotSet, bits: Data)?

        mutating func bind(_ columns: SlotSet, to statement: Statement, _ mark: Int) throws {
            guard !columns.isEmpty else { return try statement.bindNull(mark) }
            if let latest, latest.columns == columns { return try statement.bind(mark, latest.bits) }
            let bits = Data(HistorySchema.bits(columns.members))
            latest = (columns, bits)
            try statement.bind(mark, bits)
        }
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
