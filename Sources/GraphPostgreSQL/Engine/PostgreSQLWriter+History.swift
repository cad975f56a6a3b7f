// Records a save in the persistent history, and purges old transactions. The number of a transaction is that of the
// server's transaction, so that numbers ascend in the order in which readers may see them; no lock is needed for them.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLWriter: HistoryWriteSession {
    func noteUpdate(_ layout: EntityLayout, _ primaryKey: Int64, _ slots: SlotSet) {
        let numbers = history.numbers(layout, slots)
        history.updated(engine.entityNumber(layout), primaryKey, numbers)
    }

    func noteUpdate(_ layout: EntityLayout, _ primaryKey: Int64, slot: Int) {
        var slots = SlotSet()
        slots.insert(slot)
        noteUpdate(layout, primaryKey, slots)
    }

    /// Records new rows and changed relationships in the history.
    func note(_ changes: StoreChanges) {
        changes.eachNewOrRelatedRow {
            history.inserted(engine.entityNumber($0), $1)
        } related: {
            noteUpdate($0, $1, slot: $2)
        }
    }

    /// The most changes of one statement.
    private static var portion: Int { 10_000 }

    /// The number of this transaction in SQL, with `mark` for the number that was taken for it.
    private func currentNumber(_ mark: String) -> String {
        saveNumber == nil ? "pg_current_xact_id()::text::bigint + s.history_base" : "\(mark)::bigint"
    }

    /// The statements that write the transaction's history.
    ///
    /// The first one returns its number; there are none without changes.
    func historyStatements(_ origin: SaveOrigin) throws -> [SQLStatement] {
        guard !history.changes.isEmpty else { return [] }
        let own = engine.own
        let reservedNumber = saveNumber.map { [SQLValue.integer($0.value)] } ?? []
        let name = ProcessInfo.processInfo.processName
        let process = name == SaveNumbers.closedProcess ? "?" : name
        let time = Date().timeIntervalSinceReferenceDate
        historyTime = time
        var statements = [
            SQLStatement(
                // A number is required, and there is none if the store has been migrated; a time is required, and there is none
                // without the row of the store: the save fails.
                "INSERT INTO \(own.transaction) (number, at, author, bundle, context, process) "
                    + "SELECT CASE WHEN s.id IS NULL THEN 0 WHEN s.generation = $6 THEN \(currentNumber("$7")) END, "
                    + "CASE WHEN s.id IS NOT NULL THEN $1 END, $2::text, $3, $4::text, $5 "
                    + "FROM (VALUES (1)) AS one LEFT JOIN \(own.store) AS s ON true RETURNING number",
                [
                    .typed(.time(time)), origin.author.map(SQLValue.text) ?? .null,
                    .text(Bundle.main.bundleIdentifier ?? process), origin.contextName.map(SQLValue.text) ?? .null,
                    .text(process), .integer(engine.generation),
                ] + reservedNumber
            )
        ]
        let runs = history.runs
        var start = 0
        while start < runs.count {
            let part = runs[start..<min(start + Self.portion, runs.count)]
            let changes = part.map { history.changes[$0.lowerBound] }
            let properties = changes.map { change -> SQLValue in
                change.columns.isEmpty ? .null : .blob(Data(HistorySchema.bits(change.columns.members)))
            }
            let preserved = try changes.map { change in try Self.encoded(change.tombstone).map(SQLValue.blob) ?? .null }
            statements.append(
                SQLStatement(
                    "INSERT INTO \(own.change) (transaction, position, type, entity, key, count, properties, preserved) "
                        + "SELECT \(currentNumber("$8")), v.n, v.t, v.e, v.k, v.m, v.c, v.p FROM \(own.store) AS s, "
                        + "unnest($1, $2, $3, $4, $5, $6, $7) AS v(n, t, e, k, m, c, p)",
                    [
                        .keys(part.map { Int64($0.lowerBound) }), .keys(changes.map(\.type)),
                        .keys(changes.map(\.row.entity)), .keys(changes.map(\.row.primaryKey)),
                        .keys(part.map { Int64($0.count) }), .typed(.list(properties, .data)),
                        .typed(.list(preserved, .data)),
                    ] + reservedNumber
                )
            )
            start += part.count
        }
        return statements
    }

    /// Deletes old transactions with their changes.
    package func purgeHistory(before number: Int64, date: Date?) throws {
        let own = engine.own
        var values: [SQLValue] = [.integer(number)]
        if let date { values.append(.typed(.time(date.timeIntervalSinceReferenceDate))) }
        let condition = "number < $1" + (date == nil ? "" : " AND at < $2")
        if engine.profile == .distributed { return try purge(condition, values) }
        _ = try run(
            SQLStatement(
                "WITH gone AS (DELETE FROM \(own.transaction) WHERE \(condition) RETURNING number), "
                    + "changes AS (DELETE FROM \(own.change) AS c USING gone WHERE c.transaction = gone.number) "
                    + "UPDATE \(own.store) SET purged_through = "
                    + "GREATEST(purged_through, (SELECT COALESCE(max(number), 0) FROM gone))",
                values
            )
        )
    }

    /// Deletes transactions without a statement that changes several tables, which distributed databases lack.
    private func purge(_ condition: String, _ values: [SQLValue]) throws {
        let own = engine.own
        let numbers = "SELECT number FROM \(own.transaction) WHERE \(condition)"
        _ = try run(
            [
                "UPDATE \(own.store) SET purged_through = GREATEST(purged_through, "
                    + "(SELECT COALESCE(max(number), 0) FROM \(own.transaction) WHERE \(condition)))",
                "DELETE FROM \(own.change) WHERE transaction IN (\(numbers))",
                "DELETE FROM \(own.pending) WHERE number IN (\(numbers))",
                "DELETE FROM \(own.transaction) WHERE \(condition)",
            ]
            .map { SQLStatement($0, values) }
        )
    }

    // MARK: Preserved values

    /// Preserved values as a property list: numbers, texts and data by the number of the attribute.
    private static func encoded(_ values: [Int: SQLValue]?) throws -> Data? {
        guard let values else { return nil }
        var list: [String: Any] = [:]
        for (number, value) in values { list["\(number)"] = plain(value) }
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    private static func plain(_ value: SQLValue) -> Any? {
        switch value {
        case .null: nil
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .text(let text): text
        case .blob(let data): data
        case .typed(.decimal(let number)): number.description
        case .typed(let value): plain(value.plain)
        }
    }

    /// The values that `encoded` wrote, by attribute.
    static func decoded(_ data: Data, _ layout: EntityLayout) throws -> [String: RowValue] {
        let list = try StoredList.read(data, "history", of: "_change")
        var values: [String: RowValue] = [:]
        for (key, value) in list {
            guard let number = Int(key), layout.preservedSlots.indices.contains(number) else { continue }
            let slot = layout.properties[layout.preservedSlots[number]]
            let cell: SQLValue
            switch value {
            case let text as String: cell = .text(text)
            case let data as Data: cell = .blob(data)
            case let number as NSNumber:
                cell =
                    [.double, .float, .date].contains(slot.type)
                    ? .real(number.doubleValue) : .integer(number.int64Value)
            default: continue
            }
            values[slot.name] = RowValue(cell, type: slot.type)
        }
        return values
    }
}
