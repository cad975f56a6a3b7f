// The persistent history as stored in rows. A transaction is shown once every save with a smaller number has ended, so
// that a reader that continues from its last number misses none. It is read from the primary, also by sessions that read
// from standbys.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLReader: HistoryReadSession {
    /// The greatest number of a transaction; that of the last purged one if there is none.
    package func lastTransaction() throws -> Int64? {
        let own = engine.own
        let isDistributed = engine.profile == .distributed
        let result = try runOnHistory(
            """
            COALESCE((SELECT max(t.number) FROM \(own.transaction) AS t WHERE t.\(engine.isComplete)), s.purged_through)\
            \(isDistributed ? ", \(engine.numbers.hasOldNumbers)" : "") FROM \(own.store) AS s
            """
        )
        if isDistributed, result.count > 0, try engine.mapErrors({ try result.boolean(3, 0) }) == true {
            engine.closeOldNumbers()
        }
        return try engine.mapErrors { result.count == 0 ? 0 : try result.integer(2, 0) }
    }

    /// The first number after the purged ones; nil if there is no transaction.
    ///
    /// Numbers have gaps, so the oldest transaction's own number does not reveal whether one before it was purged.
    package func firstTransaction() throws -> Int64? {
        let own = engine.own
        let result = try runOnPrimary(
            SQLStatement(
                "SELECT s.purged_through + 1 FROM \(own.store) AS s WHERE EXISTS (SELECT 1 FROM \(own.transaction))"
            )
        )
        return try engine.mapErrors { result.count == 0 ? nil : try result.integer(0, 0) }
    }

    /// The transactions after a number and, unless nil, a date, oldest first.
    package func transactions(after number: Int64, date: Date?, withChanges: Bool, limit: Int) throws
        -> [HistoryTransaction]
    {
        let own = engine.own
        var values: [SQLValue] = [.integer(number)]
        var condition = "t.number > $1 AND t.\(engine.isComplete)"
        if let date {
            values.append(.typed(.time(date.timeIntervalSinceReferenceDate)))
            condition += " AND t.at > $2"
        }
        let limited = limit >= 0 ? " LIMIT \(limit)" : ""
        // One row without a number if there is no transaction.
        let rows = try runOnHistory(
            """
            t.number, t.at, t.author, t.bundle, t.context, t.process FROM \(own.store) AS s \
            LEFT JOIN \(own.transaction) AS t ON \(condition) ORDER BY t.number\(limited)
            """,
            values
        )
        var result = try engine.mapErrors {
            try (0..<rows.count).compactMap { row -> HistoryTransaction? in
                guard let number = try rows.integer(2, row) else { return nil }
                return HistoryTransaction(
                    number: number,
                    date: Date(timeIntervalSinceReferenceDate: try rows.real(3, row) ?? 0),
                    author: try rows.string(4, row),
                    bundleID: try rows.string(5, row) ?? "",
                    contextName: try rows.string(6, row),
                    processID: try rows.string(7, row) ?? ""
                )
            }
        }
        guard withChanges, !result.isEmpty else { return result }
        let places = Dictionary(uniqueKeysWithValues: result.enumerated().map { ($1.number, $0) })
        let changes = try runOnPrimary(
            SQLStatement(
                "SELECT transaction, position, type, entity, key, count, properties, preserved FROM \(own.change) "
                    + "WHERE transaction = ANY($1) ORDER BY transaction, position",
                [.keys(result.map(\.number))]
            )
        )
        try engine.mapErrors {
            for row in 0..<changes.count { try add(row, of: changes, to: &result, places) }
        }
        return result
    }

    /// Runs a statement that uses `isComplete`; again with a new snapshot if the answer may lack a transaction.
    ///
    /// A transaction that ends between the statement's snapshot and its look at the locks may have been a save, and hides
    /// the later ones, even the reader's own. A snapshot that the session has had before stays.
    ///
    /// - Parameters:
    ///   - sql: The statement from its third column on: the first are whether the horizon is doubtful, and the horizon.
    ///   - values: The statement's parameters.
    /// - Returns: The result.
    /// - Throws: If the statement fails.
    private func runOnHistory(_ sql: String, _ values: [SQLValue] = []) throws -> PostgreSQLResult {
        if engine.profile == .distributed { return try runOnPrimary(SQLStatement("SELECT false, 0, " + sql, values)) }
        let columns = "SELECT (SELECT h.is_doubtful FROM _horizon AS h), (SELECT h.number FROM _horizon AS h), "
        if let horizon {
            let known = "WITH _horizon AS (SELECT $\(values.count + 1)::bigint AS number, false AS is_doubtful) "
            return try runOnPrimary(SQLStatement(known + columns + sql, values + [.integer(horizon)]))
        }
        let statement = SQLStatement(engine.withHorizon + columns + sql, values)
        let hadSnapshot = try hasPrimarySnapshot
        var result = try runOnPrimary(statement)
        for _ in 1..<Self.attempts where !hadSnapshot {
            guard result.count > 0, try engine.mapErrors({ try result.boolean(0, 0) }) == true else { break }
            if try hasPrimarySnapshot { renew() }
            result = try runOnPrimary(statement)
        }
        // Transactions that were running in the snapshot end while it lasts.
        if result.count > 0, try hasPrimarySnapshot { horizon = try engine.mapErrors { try result.integer(1, 0) } }
        return result
    }

    private static var attempts: Int { 10 }

    private func add(
        _ row: Int,
        of changes: PostgreSQLResult,
        to result: inout [HistoryTransaction],
        _ places: [Int64: Int]
    ) throws {
        guard let place = places[try changes.integer(0, row) ?? 0], let number = try changes.integer(3, row),
            let key = try changes.integer(4, row), key > 0, let entity = engine.entityIndex(number: number)
        else { return }
        let layout = try engine.requireMap().model.entities[entity]
        let first = HistoryChange(
            number: try changes.integer(1, row) ?? 0,
            type: try changes.integer(2, row) ?? 0,
            key: ObjectKey(entity, store: engine.storeIndex, key),
            properties: changes.data(6, row).map { HistorySchema.numbers($0) } ?? [],
            tombstone: try changes.data(7, row).map { try PostgreSQLWriter.decoded($0, layout) } ?? [:]
        )
        // Another program may have written any number.
        let count = try changes.integer(5, row) ?? 1
        guard count > 0, !key.addingReportingOverflow(count).overflow else { return }
        for offset in 0..<count {
            var change = first
            change.number += offset
            change.key.primaryKey += offset
            result[place].changes.append(change)
        }
    }
}

extension PostgreSQLEngine {
    /// Whether a transaction `t` and all before it that write to the store `s` have ended; begins with a column of `t`.
    ///
    /// Needs `withHorizon` at the beginning of the statement.
    var isComplete: String {
        if profile == .distributed {
            return "number < \(numbers.horizon) AND t.process <> '\(SaveNumbers.closedProcess)'"
        }
        return "number < (SELECT h.number FROM _horizon AS h) + s.history_base"
    }

    /// The least number, without the store's base, that a save which is running may have, as the table `_horizon`.
    ///
    /// A transaction that holds its own lock and none on a history writes to no store: every save locks the history before it
    /// gets a number. One that was running in this snapshot and holds no lock any more may have been a save. Locks are
    /// read only if another transaction is running. The snapshots of a standby have only the number of the oldest running
    /// transaction, so a store at the address of a standby shows the transactions before that one.
    var withHorizon: String {
        if profile == .distributed { return "" }
        return """
            WITH _locks AS MATERIALIZED (SELECT * FROM pg_catalog.pg_locks), _running AS MATERIALIZED (\
            SELECT _x::text::bigint AS number, (SELECT l.virtualtransaction FROM _locks AS l \
            WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted \
            AND l.transactionid::text = _x::xid::text LIMIT 1) AS holder \
            FROM pg_snapshot_xip(pg_current_snapshot()) AS _x WHERE NOT pg_is_in_recovery()), \
            _horizon AS MATERIALIZED (SELECT CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(pg_current_snapshot())::text::bigint \
            ELSE COALESCE((SELECT min(r.number) FROM _running AS r WHERE r.holder IS NULL OR r.holder IN (\
            SELECT w.virtualtransaction FROM _locks AS w WHERE w.locktype = 'relation' \
            AND w.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) \
            AND w.relation IN (SELECT oid FROM pg_catalog.pg_class WHERE relname = '_transaction'))), \
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint) END AS number, \
            EXISTS (SELECT 1 FROM _running AS r WHERE r.holder IS NULL) AS is_doubtful) \

            """
    }
}
