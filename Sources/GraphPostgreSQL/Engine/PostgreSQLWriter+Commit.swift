// Commits whose reply is lost with the connection. The writer finds out on a new connection whether the transaction is
// in the database, by the number of the server's transaction and by its row in the history. Called by
// PostgreSQLWriter.commit.
import Foundation
import GraphEngine
import GraphSQL

extension PostgreSQLWriter {
    /// The result of statements that end with COMMIT.
    enum CommitResult {
        case results([PostgreSQLResult])
        /// The reply was lost, but the transaction is in the database.
        case lostReply(FoundTransaction)
    }

    /// A transaction that was found in the database.
    struct FoundTransaction {
        /// Its number in the history.
        var number: Int64?
        /// The derived attributes of its rows.
        var derived: [PostgreSQLResult]
        /// The position in the log that standbys must have replayed to show it; nil if the store reads from none.
        var position: Int64?
    }

    /// The statement that returns the number of the server's transaction, NULL if it has written nothing; sent with the rows
    /// of a save.
    static let currentTransaction = SQLStatement("SELECT pg_current_xact_id_if_assigned()::text")

    /// Runs the last statements of a transaction, COMMIT among them.
    ///
    /// - Throws: `EngineError`; of the kind `retry` if the connection was lost and nothing was written, and of the kind
    ///   `unsaved` if that could not be found out in time.
    func runWithCommit(_ batch: [SQLStatement]) throws -> CommitResult {
        do {
            return .results(try withoutMapping(batch))
        } catch let error as PostgreSQLError where error.state == "08007" {
            return .lostReply(try search(after: error))
        } catch let error as PostgreSQLError {
            throw engine.mapped(error)
        }
    }

    private func withoutMapping(_ batch: [SQLStatement]) throws -> [PostgreSQLResult] {
        if let connection { return try connection.pipeline(batch, afterCommit: noteUnannounced) }
        return try run(batch, afterCommit: noteUnannounced)
    }

    /// Logs that a save could not be announced, for the first of the store's saves.
    private func noteUnannounced(_ error: PostgreSQLError) {
        let isFirst = !engine.hasUnannouncedSaves.exchange(true, ordering: .relaxed)
        engine.log(
            isFirst ? .warning : .debug,
            "A save in \(engine.configuration.address) is committed, but could not be announced: \(error)"
        )
    }

    // MARK: After a lost reply

    /// The state of a transaction, as another connection sees it.
    private enum Finding {
        case committed(FoundTransaction)
        case rolledBack
        /// The server has not ended it, or cannot be asked; asked again until the time is over.
        case undecided(String)
        /// The server no longer has a record of it.
        case unknown(String)
    }

    /// Searches the database for the transaction until it is decided, or the address's time-out is over.
    private func search(after error: PostgreSQLError) throws -> FoundTransaction {
        let address = engine.configuration.address
        let lostFacts = connection?.facts
        // The dead connection's place in the pool is needed for the new one.
        end()
        guard serverTransaction != nil || saveNumber != nil, let historyTime else {
            throw undecided(error, "it has no row in the history")
        }
        let began = ContinuousClock.now
        var pause = 0.01
        while true {
            let waited = ContinuousClock.now - began
            let finding = look(historyTime, endsIt: waited > Self.patience)
            if case .rolledBack = finding, saveNumber != nil, let lostFacts { endSession(lostFacts, lostAt: began) }
            switch finding {
            case .committed(let transaction):
                engine.log(.warning, "The connection to \(address) was lost during a commit, which had succeeded.")
                return transaction
            case .rolledBack:
                throw EngineError(
                    .retry,
                    "the connection to \(address) was lost while a save was being committed, and the server has rolled "
                        + "it back",
                    reason: error.message,
                    remedy: "Nothing was saved. Save again."
                )
            case .unknown(let reason): throw undecided(error, reason)
            case .undecided(let reason): if waited > address.timeout { throw undecided(error, reason) }
            }
            Thread.sleep(forTimeInterval: pause)
            pause = min(pause * 1.5, 0.5)
        }
    }

    /// The time after which a transaction is ended whose client is gone, but whose server has not noticed that.
    private static var patience: Duration { .seconds(2) }

    private func undecided(_ error: PostgreSQLError, _ reason: String) -> EngineError {
        EngineError(
            .unsaved,
            "The connection to \(engine.configuration.address) was lost while a save was being committed, and whether "
                + "the changes are in the database is not known: \(reason).",
            reason: error.message,
            remedy:
                "Once the server answers, look for the changes in the database before saving them again: new objects "
                + "could be inserted twice."
        )
    }

    private func look(_ time: Double, endsIt: Bool) -> Finding {
        do {
            return try engine.requirePool()
                .withConnection { connection in
                    do {
                        if let saveNumber { return try fate(of: saveNumber, time, on: connection) }
                        return try state(of: serverTransaction ?? "", time, on: connection, endsIt: endsIt)
                    } catch let error as PostgreSQLError where error.state == "22023" {
                        // Its number is still free: the server has lost it, for example in a crash.
                        return .rolledBack
                    }
                }
        } catch let error as EngineError where error.kind == .closed {
            return .unknown("the store was closed meanwhile")
        } catch let error as EngineError {
            return .undecided("the server cannot be asked: \(error.message)")
        } catch {
            return .undecided("the server cannot be asked: \(error)")
        }
    }

    /// The state of the transaction of a distributed store: its number is closed unless its row is in the history.
    private func fate(of number: SaveNumbers.Number, _ time: Double, on connection: PostgreSQLConnection) throws
        -> Finding
    {
        do {
            switch try engine.numbers.close(number, connection) {
            // Rounded as the database stores it.
            case .saved(let savedTime) where abs(savedTime - time) < 1e-5:
                return .committed(try found(number.value, on: connection))
            case .saved: return .unknown("another save has its number")
            case .closed: return .rolledBack
            case .purged: return .unknown("the history has been deleted since")
            }
        } catch let error as PostgreSQLError where error.kind == .lockTimeout || error.isRetryable {
            return .undecided("the server has not ended the transaction")
        }
    }

    /// Reads the rest of a committed transaction's outcome; if that fails, the search is repeated.
    private func found(
        _ number: Int64?,
        on connection: PostgreSQLConnection,
        after statements: [SQLStatement] = []
    ) throws -> FoundTransaction {
        let (reads, readsStandbys) = (derivedReads(), engine.readsStandbys)
        let position = readsStandbys ? [Standbys.writtenPosition] : []
        let results = try connection.pipeline(reads + statements + position)
        return FoundTransaction(
            number: number,
            derived: Array(results.prefix(reads.count)),
            position: readsStandbys ? try results[results.count - 1].integer(0, 0) : nil
        )
    }

    /// Ends the session of a connection that was lost, which holds locks until the server notices that its client is gone.
    ///
    /// Its transaction can no longer be committed. Without the right to end it, the next save waits for the locks.
    private func endSession(_ facts: ServerFacts, lostAt: ContinuousClock.Instant) {
        guard !facts.isPooled, facts.capabilities.contains(.sessionEnding) else { return }
        do {
            // A younger session with the same identifier is another one.
            _ = try engine.requirePool().withConnection { connection in
                try connection.execute(
                    SQLStatement(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND usename = current_user "
                            + "AND backend_start < now() - $2 * interval '1 second'",
                        [.integer(Int64(facts.backend)), .real((ContinuousClock.now - lostAt) / .seconds(1))]
                    )
                )
            }
        } catch {
            engine.log(.debug, "The session of a lost connection could not be ended: \(error)")
        }
    }

    private func state(
        of transaction: String,
        _ time: Double,
        on connection: PostgreSQLConnection,
        endsIt: Bool
    ) throws -> Finding {
        let own = engine.own
        // The number alone proves nothing: a server that has crashed, or a standby that was promoted, may have given it
        // to another transaction. The status is asked first, so that the row of one that is committed is visible.
        let results = try connection.pipeline([
            SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED"),
            SQLStatement(
                "SELECT pg_is_in_recovery(), CASE WHEN pg_is_in_recovery() THEN NULL "
                    + "ELSE pg_xact_status($1::text::xid8) END",
                [.text(transaction)]
            ),
            SQLStatement(
                "SELECT $1::text::bigint + s.history_base, s.purged_through, (SELECT t.number FROM \(own.transaction) "
                    + "AS t WHERE t.number = $1::text::bigint + s.history_base AND t.at = $2) FROM \(own.store) AS s",
                [.text(transaction), .typed(.time(time))]
            ),
            SQLStatement("COMMIT"),
        ])
        let (states, rows) = (results[1], results[2])
        if try states.boolean(0, 0) == true { return .undecided("the server is a standby") }
        let status = try states.string(1, 0)
        guard rows.count == 1 else { return .unknown("the row of the table _store is missing") }
        if let number = try rows.integer(2, 0) {
            // Ends when the standbys have received all before it, as far as the setting synchronous_commit demands it.
            let marker = SQLStatement("SELECT pg_logical_emit_message(true, 'ManagedGraph', '')")
            return .committed(try found(number, on: connection, after: [marker]))
        }
        switch status {
        case "in progress":
            if endsIt {
                // Its session ends by itself only when it notices that the client is gone. One that waits for a standby
                // must continue to wait: its transaction is committed, but the standby may not have it.
                try connection.execute(
                    SQLStatement(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid::text::bigint = "
                            + "$1::text::bigint % 4294967296 AND wait_event IS DISTINCT FROM 'SyncRep'",
                        [.text(transaction)]
                    )
                )
            }
            return .undecided("the server has not ended the transaction")
        case "aborted": return .rolledBack
        case "committed":
            let (number, purged) = (try rows.integer(0, 0) ?? 0, try rows.integer(1, 0) ?? 0)
            return purged >= number ? .unknown("the history has been deleted since") : .rolledBack
        default: return .unknown("the server has forgotten it")
        }
    }
}
