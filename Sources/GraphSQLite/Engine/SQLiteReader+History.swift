// The persistent history as stored in rows. Called by history requests, tokens and the watch for remote changes.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteReader: HistoryReadSession {
    /// The greatest number ever assigned to a transaction; nil if there is no history.
    package func lastTransaction() throws -> Int64? {
        try read { connection in
            guard try Self.hasHistoryTables(connection) else { return nil }
            return try StoreFile.lastKey(rootEntity: HistorySchema.transactionNumber, in: connection) ?? 0
        }
    }

    /// The number of the oldest transaction; nil if there is none.
    package func firstTransaction() throws -> Int64? {
        try read { connection in
            guard try Self.hasHistoryTables(connection),
                case .integer(let first)? = try connection.rows("SELECT min(Z_PK) FROM ATRANSACTION").first?.first
            else { return nil }
            return first
        }
    }

    /// The transactions after a number and, unless nil, a date, oldest first.
    ///
    /// A limit keeps only the oldest of them.
    package func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int = -1) throws
        -> [HistoryTransaction]
    {
        try read { connection in
            guard try Self.hasHistoryTables(connection) else { return [] }
            let moment = date?.timeIntervalSinceReferenceDate ?? -.greatestFiniteMagnitude
            let sql = try Self.hasHistoryStrings(connection) ? Self.transactionsWithKeys : Self.transactionsWithStrings
            let values: [SQLValue] = [.integer(number), .real(moment), .integer(Int64(limit))]
            var result = try connection.rows(sql, values).map { row in
                HistoryTransaction(
                    number: row[0].wholeNumber ?? 0,
                    date: Date(timeIntervalSinceReferenceDate: row[1].number ?? 0),
                    author: row[2].words,
                    bundleID: row[3].words ?? "",
                    contextName: row[4].words,
                    processID: row[5].words ?? ""
                )
            }
            if withChanges { try addChanges(to: &result, connection) }
            return result
        }
    }

    private static let transactionsWithStrings = """
        SELECT Z_PK, ZTIMESTAMP, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID FROM ATRANSACTION t \
        WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? ORDER BY t.Z_PK LIMIT ?
        """

    private static let transactionsWithKeys = """
        SELECT t.Z_PK, t.ZTIMESTAMP, coalesce(a.ZNAME, t.ZAUTHOR), coalesce(b.ZNAME, t.ZBUNDLEID), \
        coalesce(c.ZNAME, t.ZCONTEXTNAME), coalesce(p.ZNAME, t.ZPROCESSID) FROM ATRANSACTION t \
        LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS \
        LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS \
        LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS \
        LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS \
        WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? ORDER BY t.Z_PK LIMIT ?
        """

    /// Reads the changes of transactions that follow each other.
    private func addChanges(to transactions: inout [HistoryTransaction], _ connection: Connection) throws {
        guard let first = transactions.first?.number, let last = transactions.last?.number else { return }
        // The table of a damaged file may have a number twice.
        let places = Dictionary(transactions.enumerated().map { ($1.number, $0) }) { first, _ in first }
        let tombstones = try connection.columnNames(of: "ACHANGE").filter { Self.tombstoneNumber($0) != nil }
        let list = (["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"] + tombstones)
            .joined(separator: ", ")
        let changes = try connection.rows(
            "SELECT \(list) FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY Z_PK",
            [.integer(first), .integer(last)]
        )
        for row in changes {
            guard let place = places[row[4].wholeNumber ?? 0], let change = change(row, tombstones) else { continue }
            transactions[place].changes.append(change)
        }
    }

    /// A change of which the columns after the sixth are tombstones; nil if the model has no such entity.
    private func change(_ row: [SQLValue], _ tombstones: [String]) -> HistoryChange? {
        guard let number = row[2].wholeNumber, let changed = row[3].wholeNumber, changed > 0,
            let entity = engine.entityIndex(number: number), let layout = engine.model?.entities[entity]
        else { return nil }
        var change = HistoryChange(
            number: row[0].wholeNumber ?? 0,
            type: row[1].wholeNumber ?? 0,
            key: ObjectKey(entity: Int32(entity), store: engine.storeIndex, primaryKey: changed),
            properties: [],
            tombstone: [:]
        )
        if case .blob(let bits) = row[5] { change.properties = HistorySchema.numbers(bits) }
        for (column, value) in zip(tombstones, row[6...]) {
            guard let number = Self.tombstoneNumber(column), layout.preservedSlots.indices.contains(number) else {
                continue
            }
            let slot = layout.properties[layout.preservedSlots[number]]
            change.tombstone[slot.name] = RowValue(Self.preserved(value, of: slot), type: slot.type)
        }
        return change
    }

    /// The number of a column for preserved values, `ZTOMBSTONE0`; nil for another column.
    private static func tombstoneNumber(_ column: String) -> Int? {
        guard column.hasPrefix("ZTOMBSTONE") else { return nil }
        let digits = column.dropFirst("ZTOMBSTONE".count)
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }

    /// A deleted row's value without the marker of attributes that allow files; null if a removed file had it.
    private static func preserved(_ value: SQLValue, of property: PropertyLayout) -> SQLValue {
        guard property.allowsExternalStorage, case .blob(let stored) = value else { return value }
        return LargeValue.name(in: stored) == nil ? .blob(LargeValue.inlineData(in: stored)) : .null
    }

    /// Whether transactions refer to their strings by key: those written by frameworks of 2017 contain the strings.
    static func hasHistoryStrings(_ connection: Connection) throws -> Bool {
        try !connection.columnNames(of: "ATRANSACTIONSTRING").isEmpty
            && Set(connection.columnNames(of: "ATRANSACTION")).isSuperset(of: HistorySchema.stringColumns)
    }

    static func hasHistoryTables(_ connection: Connection) throws -> Bool {
        try !connection.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'").isEmpty
    }
}

extension SQLValue {
    fileprivate var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var words: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
