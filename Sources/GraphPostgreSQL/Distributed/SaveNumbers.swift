// The numbers of saves in the history of a distributed store, and new primary keys. Distributed databases have no
// transaction numbers in the order of commits, so a save takes its number before it writes, in a short transaction of its
// own, and readers show the saves below the smallest number that may still be committed.
//
// | table | content |
// | --- | --- |
// | _counter | the next number of the history, under `_transaction`, and the next key of each table |
// | _pending | the numbers that saves have taken, with the time; those of committed saves may stay for a while |
//
// Invariants: a number is in _pending from the moment when the counter moves past it; a save writes its row of
// _transaction, whose key is the number, in its own transaction. A number that is not committed is closed by a row with an
// empty process: the save that has it can then not insert its own row, and begins again.
import GraphEngine
import GraphSQL
import Synchronization

/// Takes numbers and keys for the saves of one engine.
final class SaveNumbers: Sendable {
    /// A number for one save.
    struct Number {
        let value: Int64
        /// When it was requested.
        let requestedAt: ContinuousClock.Instant

        /// Whether the number should be replaced before the commit: others would soon close it.
        var isOld: Bool { ContinuousClock.now - requestedAt > SaveNumbers.lifetime / 3 }
    }

    /// The result of `take`.
    struct Reservation {
        /// Nil if none was requested.
        var number: Number?
        /// New keys by table.
        var keys: [String: ClosedRange<Int64>] = [:]
    }

    /// The time after which others close a number, because its program seems to have ended.
    static let lifetime = Duration.seconds(60)
    /// The fewest keys that are taken together: each time is a transaction that other saves wait for.
    static let keyBlock: Int64 = 1_024
    /// The row of the history's counter.
    static let historyCounter = "_transaction"
    /// The process in the row of a number that was closed without a save.
    static let closedProcess = ""

    /// The greatest number of attempts of a short transaction that the database rolls back in favour of another one.
    private static let attempts = 50

    private let own: OwnTables
    /// Guards the numbers of saves that have ended, which are deleted with the next taking.
    private let ended = Mutex<[Int64]>([])
    /// When old numbers were last closed; guards it.
    private let closedAt = Mutex<ContinuousClock.Instant?>(nil)

    init(_ own: OwnTables) { self.own = own }

    // MARK: Taking

    /// Takes a number and keys; one round trip.
    ///
    /// - Parameters:
    ///   - wantsNumber: Whether a number is needed.
    ///   - keys: The number of keys by table.
    ///   - connection: A connection outside of a transaction.
    /// - Returns: The number and the keys.
    /// - Throws: `PostgreSQLError`, or `EngineError` if a counter is missing.
    func take(number wantsNumber: Bool, keys: [String: Int64], _ connection: PostgreSQLConnection) throws -> Reservation
    {
        try Self.repeated(connection) { try takeOnce(wantsNumber, keys, connection) }
    }

    private func takeOnce(_ wantsNumber: Bool, _ keys: [String: Int64], _ connection: PostgreSQLConnection) throws
        -> Reservation
    {
        let began = ContinuousClock.now
        let endedNumbers = ended.withLock { $0 }
        // Counters are locked in one order, the busiest one last.
        let blocks = keys.sorted { $0.key < $1.key }
            .map { ($0.key, ($0.value + Self.keyBlock - 1) / Self.keyBlock * Self.keyBlock) }
        var batch = [Self.begin]
        if !endedNumbers.isEmpty {
            batch.append(SQLStatement("DELETE FROM \(own.pending) WHERE number = ANY($1)", [.keys(endedNumbers)]))
        }
        let firstKeys = batch.count
        for (table, count) in blocks {
            batch.append(
                SQLStatement(
                    "UPDATE \(own.counter) SET next = next + $2 WHERE name = $1 RETURNING next - $2",
                    [.text(table), .integer(count)]
                )
            )
        }
        if wantsNumber {
            let name = SQLValue.text(Self.historyCounter)
            batch.append(SQLStatement("UPDATE \(own.counter) SET next = next + 1 WHERE name = $1", [name]))
            batch.append(
                SQLStatement(
                    "INSERT INTO \(own.pending) (number, at) SELECT next - 1, now() FROM \(own.counter) WHERE name = $1 "
                        + "RETURNING number",
                    [name]
                )
            )
        }
        batch.append(SQLStatement("COMMIT"))
        let results = try connection.pipeline(batch)
        var reservation = Reservation()
        for (place, (table, count)) in blocks.enumerated() {
            guard let first = try results[firstKeys + place].firstInteger else { throw missing(table) }
            reservation.keys[table] = first...first + count - 1
        }
        if wantsNumber {
            guard let value = try results[batch.count - 2].firstInteger else { throw missing(Self.historyCounter) }
            reservation.number = Number(value: value, requestedAt: began)
        }
        ended.withLock { $0.removeAll(where: Set(endedNumbers).contains) }
        return reservation
    }

    /// Runs a short transaction again while the database gives it up for others.
    private static func repeated<R>(_ connection: PostgreSQLConnection, _ body: () throws -> R) throws -> R {
        for _ in 1..<attempts {
            do {
                return try body()
            } catch let error as PostgreSQLError where error.isRetryable {
                // After an error between BEGIN and COMMIT the connection is still in the failed transaction.
                if connection.isInTransaction { try connection.execute("ROLLBACK") }
            }
        }
        return try body()
    }

    private static let begin = SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED")

    private func missing(_ name: String) -> EngineError {
        EngineError(
            .incompatibleSchema,
            "The table _counter has no row \(name).",
            remedy: "Restore it from a backup, with a number above all keys of the table, or of the history."
        )
    }

    // MARK: Ending

    /// Notes a number whose save has been committed; its row may stay until the next taking.
    func noteEnd(of number: Number) { ended.withLock { $0.append(number.value) } }

    /// Removes a number whose save was given up, which readers of the history would wait for.
    func remove(_ number: Number, _ connection: PostgreSQLConnection) throws {
        try connection.execute(
            SQLStatement("DELETE FROM \(own.pending) WHERE number = $1", [.integer(number.value)])
        )
    }

    /// Removes the numbers of committed saves.
    func removeEnded(_ connection: PostgreSQLConnection) throws {
        let endedNumbers = ended.withLock { $0 }
        guard !endedNumbers.isEmpty else { return }
        try connection.execute(SQLStatement("DELETE FROM \(own.pending) WHERE number = ANY($1)", [.keys(endedNumbers)]))
        ended.withLock { $0.removeAll(where: Set(endedNumbers).contains) }
    }

    // MARK: Closing

    /// Whether a row `p` of _pending belongs to a save that is not in the history.
    private var isOpen: String {
        "NOT EXISTS (SELECT 1 FROM \(own.transaction) AS x WHERE x.number = p.number)"
    }

    /// The first number that readers do not show.
    var horizon: String {
        "COALESCE((SELECT min(p.number) FROM \(own.pending) AS p WHERE \(isOpen)), "
            + "(SELECT next FROM \(own.counter) WHERE name = '\(Self.historyCounter)'))"
    }

    /// Whether a number has been open for too long.
    var hasOldNumbers: String { "EXISTS (SELECT 1 FROM \(own.pending) AS p WHERE \(isOld) AND \(isOpen))" }

    private var isOld: String { "p.at < now() - interval '\(Self.lifetime.components.seconds) seconds'" }

    /// Closes numbers whose programs seem to have ended, so that readers show the saves after them; at most once a second.
    ///
    /// A save that is being committed with such a number is waited for, for a second.
    func closeOldNumbers(_ connection: PostgreSQLConnection) throws {
        let isDue = closedAt.withLock { last in
            guard last.map({ ContinuousClock.now - $0 > .seconds(1) }) ?? true else { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        _ = try connection.pipeline([
            Self.begin, Self.shortWait,
            SQLStatement(
                "INSERT INTO \(own.transaction) (number, at, bundle, process) SELECT p.number, now(), '', "
                    + "'\(Self.closedProcess)' FROM \(own.pending) AS p WHERE \(isOld) AND \(isOpen) ON CONFLICT DO NOTHING"
            ),
            SQLStatement("DELETE FROM \(own.pending) AS p WHERE \(isOld) AND NOT \(isOpen)"), SQLStatement("COMMIT"),
        ])
    }

    private static let shortWait = SQLStatement("SET LOCAL lock_timeout = '1s'")

    /// The fate of a number whose commit was not answered.
    enum Fate {
        /// A save has it, with the time in its row.
        case saved(time: Double)
        /// No save has it, and no save can get it later.
        case closed
        /// The history was deleted up to it.
        case purged
    }

    /// Closes a number unless its save is in the history; waits for a second for a save that is being committed.
    func close(_ number: Number, _ connection: PostgreSQLConnection) throws -> Fate {
        let results = try connection.pipeline([
            Self.begin, Self.shortWait,
            SQLStatement(
                "INSERT INTO \(own.transaction) (number, at, bundle, process) VALUES ($1, now(), '', "
                    + "'\(Self.closedProcess)') ON CONFLICT DO NOTHING",
                [.integer(number.value)]
            ),
            SQLStatement(
                "SELECT t.at, t.process = '\(Self.closedProcess)', s.purged_through FROM \(own.transaction) AS t, "
                    + "\(own.store) AS s WHERE t.number = $1",
                [.integer(number.value)]
            ),
            SQLStatement("COMMIT"),
        ])
        let row = results[3]
        guard row.count == 1 else { return .purged }
        guard try row.boolean(1, 0) == true else { return .saved(time: try row.real(0, 0) ?? 0) }
        return try row.integer(2, 0) ?? 0 >= number.value ? .purged : .closed
    }
}

extension PostgreSQLResult {
    /// The first value of the first row; nil without a row.
    fileprivate var firstInteger: Int64? {
        get throws { count == 0 ? nil : try integer(0, 0) }
    }
}
