// Continues the history of a store that was restored from a dump into another cluster. The number of a save is that of
// the server's transaction plus `history_base`, and each cluster numbers its own transactions. Called when a store of the
// standard profile is opened for writing.
import GraphEngine
import GraphSQL

extension PostgreSQLEngine {
    /// The greatest number that the history of the store `s` has had, in SQL.
    private var lastNumber: String {
        "GREATEST(s.purged_through, (SELECT max(t.number) FROM \(own.transaction) AS t))"
    }

    /// Whether a save of the store `s` could get a number that is not above all others, in SQL.
    ///
    /// In the cluster that has written the history, each transaction that a snapshot shows is below the snapshot's end.
    private var isAhead: String {
        "\(lastNumber) >= s.history_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
    }

    /// Whether the history has numbers that the server's transactions have not reached, in SQL; needs no table around it.
    var isHistoryAhead: String { "(SELECT \(isAhead) FROM \(own.store) AS s)" }

    /// Makes the numbers of later saves follow those of the history.
    ///
    /// A save reads `history_base` in several statements, so the lock waits for the saves that are running. If several
    /// processes open the store concurrently, the first one changes it. Processes that have it open use the new value
    /// from their next save on.
    ///
    /// Throws `EngineError` of the kind `cannotOpen` if the user may not change the store's own tables: readers of the
    /// history would miss the saves.
    func continueHistory(_ connection: PostgreSQLConnection) throws {
        let timeout = max(1, Int(configuration.address.timeout / .milliseconds(1)))
        let statements = [
            "BEGIN ISOLATION LEVEL READ COMMITTED", "SET LOCAL lock_timeout = '\(timeout)ms'",
            // In the order of migrations.
            "SELECT 1 FROM \(own.store) FOR UPDATE", "LOCK TABLE \(own.transaction) IN SHARE MODE",
            "UPDATE \(own.store) AS s SET history_base = \(lastNumber) WHERE \(isAhead)", "COMMIT",
        ]
        do {
            _ = try connection.pipeline(statements.map { SQLStatement($0) }, prepares: false)
        } catch let error as PostgreSQLError where !error.endsConnection {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            switch error.kind {
            // Nothing can be saved there.
            case .readOnly: return
            case .notPermitted:
                throw EngineError(
                    .cannotOpen,
                    "The store at \(connection.address) was restored from a dump, and this user may not continue "
                        + "its history.",
                    reason: error.description,
                    remedy: "Open the store for writing once as the owner of its tables."
                )
            default: throw error
            }
        }
    }
}
