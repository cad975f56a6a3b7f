// The store's side of the persistent history: turning it on, noting what is written, reading it back, purging it.
import Foundation
import GraphSQL
import GraphSQLite

/// A transaction of the history, as a row says it.
struct HistoryTransaction {
    var number: Int64
    var date: Date
    var author: String?
    var bundleID: String
    var contextName: String?
    var processID: String
    var changes: [HistoryChange] = []
}

/// A change of the history, as a row says it.
struct HistoryChange {
    var number: Int64
    var type: Int64
    var key: ObjectKey
    var properties: [Int]
    var tombstone: [String: Any]
}

extension SQLiteStore {
    /// Whether the file has a history: once it has one, all that is saved goes into it.
    func prepareHistory() throws {
        guard let connection, isOfDatabaseKind else { return }
        let isThere = try hasHistoryTables(connection)
        let wanted = StoreOptions.flag(options, NSPersistentHistoryTrackingKey)
        guard wanted ?? isThere, !isReadOnly else { return }
        history = HistoryLog(hasStrings: try !isThere || hasHistoryStrings(connection))
        guard try !isThere || !missingTombstones(connection).isEmpty else { return }
        try connection.transaction(.immediate) {
            // Somebody else may have made them meanwhile.
            if try !hasHistoryTables(connection) {
                for statement in HistorySchema.statements { try connection.execute(statement) }
            }
            for column in try missingTombstones(connection) {
                try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB")
            }
        }
    }

    /// Whether transactions name their texts by keys: those of frameworks of 2017 hold the texts.
    private func hasHistoryStrings(_ connection: Connection) throws -> Bool {
        try !connection.columnNames(of: "ATRANSACTIONSTRING").isEmpty
            && Set(connection.columnNames(of: "ATRANSACTION")).isSuperset(of: HistorySchema.stringColumns)
    }

    /// Columns of preserved values that the table of changes does not have yet.
    private func missingTombstones(_ connection: Connection) throws -> [String] {
        let present = Set(try connection.columnNames(of: "ACHANGE"))
        let count = model?.layouts.map(\.preservedSlots.count).max() ?? 0
        return (0..<count).map(HistorySchema.tombstoneColumn).filter { !present.contains($0) }
    }

    private func hasHistoryTables(_ connection: Connection) throws -> Bool {
        try !connection.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'").isEmpty
    }

    // MARK: Noting

    /// Notes that a row is about to go, with those of its values that the model preserves.
    func noteDeletion(_ layout: ObjectLayout, _ primaryKey: Int64) throws {
        guard let history else { return }
        var tombstone: [Int: SQLValue] = [:]
        let preserved = layout.preservedSlots
        if !preserved.isEmpty, let entity = schema.entities[layout.name] {
            let columns = preserved.map { slot -> String in
                if case .attribute(let attribute)? = entity.properties[layout.slots[slot].name] {
                    return attribute.column
                }
                return "NULL"
            }
            let text = "SELECT \(columns.joined(separator: ", ")) FROM \(entity.tableName) WHERE Z_PK = ?"
            for (number, value) in (try requireConnection().rows(text, [.integer(primaryKey)]).first ?? []).enumerated()
            where value != .null {
                tombstone[number] = value
            }
        }
        history.deleted(entityNumber(layout), primaryKey, tombstone)
    }

    func noteUpdate(_ layout: ObjectLayout, _ primaryKey: Int64, _ slots: SlotSet) {
        guard let history else { return }
        history.updated(entityNumber(layout), primaryKey, history.numbers(layout, slots))
    }

    func noteUpdate(_ layout: ObjectLayout, _ primaryKey: Int64, slot: Int) {
        guard history != nil else { return }
        var slots = SlotSet()
        slots.insert(slot)
        noteUpdate(layout, primaryKey, slots)
    }

    // MARK: Reading

    /// The greatest number ever given to a transaction; nil where there is no history.
    func lastTransaction() throws -> Int64? {
        try read { connection in
            guard try hasHistoryTables(connection) else { return nil }
            return try StoreFile.lastKey(rootEntity: HistorySchema.transactionNumber, in: connection) ?? 0
        }
    }

    /// The number of the oldest transaction there is; nil where there is none.
    func firstTransaction() throws -> Int64? {
        try read { connection in
            guard try hasHistoryTables(connection),
                case .integer(let first)? = try connection.rows("SELECT min(Z_PK) FROM ATRANSACTION").first?.first
            else { return nil }
            return first
        }
    }

    /// The transactions after a number or a moment, oldest first.
    ///
    /// With a limit, the first so many of them.
    func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int = -1) throws
        -> [HistoryTransaction]
    {
        try read { connection in
            guard try hasHistoryTables(connection) else { return [] }
            let moment = date?.timeIntervalSinceReferenceDate ?? -.greatestFiniteMagnitude
            let plain = """
                SELECT Z_PK, ZTIMESTAMP, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID FROM ATRANSACTION t \
                WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? ORDER BY t.Z_PK LIMIT ?
                """
            let joined = """
                SELECT t.Z_PK, t.ZTIMESTAMP, coalesce(a.ZNAME, t.ZAUTHOR), coalesce(b.ZNAME, t.ZBUNDLEID), \
                coalesce(c.ZNAME, t.ZCONTEXTNAME), coalesce(p.ZNAME, t.ZPROCESSID) FROM ATRANSACTION t \
                LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS \
                LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS \
                LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS \
                LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS \
                WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? ORDER BY t.Z_PK LIMIT ?
                """
            let text = try hasHistoryStrings(connection) ? joined : plain
            let values: [SQLValue] = [.integer(number), .real(moment), .integer(Int64(limit))]
            var result = try connection.rows(text, values).map { row in
                HistoryTransaction(
                    number: row[0].wholeNumber ?? 0,
                    date: Date(timeIntervalSinceReferenceDate: row[1].number ?? 0),
                    author: row[2].words,
                    bundleID: row[3].words ?? "",
                    contextName: row[4].words,
                    processID: row[5].words ?? ""
                )
            }
            guard withChanges, let first = result.first?.number, let last = result.last?.number else { return result }
            let places = Dictionary(uniqueKeysWithValues: result.enumerated().map { ($1.number, $0) })
            let tombstones = try connection.columnNames(of: "ACHANGE").filter { $0.hasPrefix("ZTOMBSTONE") }
            let list = (["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"] + tombstones)
                .joined(separator: ", ")
            let changes = try connection.rows(
                "SELECT \(list) FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY Z_PK",
                [.integer(first), .integer(last)]
            )
            for row in changes {
                guard let place = places[row[4].wholeNumber ?? 0], let number = row[2].wholeNumber,
                    let changed = row[3].wholeNumber, changed > 0,
                    let entity = entityIndex(number: number), let layout = model?.layouts[entity]
                else { continue }
                var change = HistoryChange(
                    number: row[0].wholeNumber ?? 0,
                    type: row[1].wholeNumber ?? 0,
                    key: ObjectKey(entity: Int32(entity), store: index, primaryKey: changed),
                    properties: [],
                    tombstone: [:]
                )
                if case .blob(let bits) = row[5] { change.properties = HistorySchema.numbers(bits) }
                for (column, value) in zip(tombstones, row[6...]) {
                    guard let number = Int(column.dropFirst("ZTOMBSTONE".count)),
                        layout.preservedSlots.indices.contains(number)
                    else { continue }
                    let slot = layout.slots[layout.preservedSlots[number]]
                    change.tombstone[slot.name] = Value(value, type: slot.type)?.publicAttribute(slot.type)
                }
                result[place].changes.append(change)
            }
            return result
        }
    }

    /// Deletes transactions with what they have changed, and texts that no transaction names any more; in a transaction.
    func purgeHistory(before number: Int64, date: Date?) throws {
        guard history != nil else { return }
        try mapErrors {
            let connection = try requireConnection()
            let condition = "Z_PK < ?" + (date == nil ? "" : " AND ZTIMESTAMP < ?")
            let values = [SQLValue.integer(number)] + (date.map { [.real($0.timeIntervalSinceReferenceDate)] } ?? [])
            try connection.run(
                "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))",
                values
            )
            try connection.run("DELETE FROM ATRANSACTION WHERE \(condition)", values)
            if history?.hasStrings == true {
                try connection.execute(
                    "DELETE FROM ATRANSACTIONSTRING WHERE Z_PK NOT IN (SELECT coalesce(ZAUTHORTS, 0) FROM ATRANSACTION "
                        + "UNION SELECT coalesce(ZBUNDLEIDTS, 0) FROM ATRANSACTION UNION "
                        + "SELECT coalesce(ZCONTEXTNAMETS, 0) FROM ATRANSACTION UNION "
                        + "SELECT coalesce(ZPROCESSIDTS, 0) FROM ATRANSACTION)"
                )
            }
            history?.forget()
        }
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
