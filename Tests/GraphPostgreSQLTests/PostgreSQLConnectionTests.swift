import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import Synchronization
import TestSupport
import Testing

@Suite(.server)
struct PostgreSQLConnectionTests {
    private let database: TestDatabase
    private var connection: PostgreSQLConnection { database.connection }

    init() throws { database = try TestDatabase() }

    @Test("A connection reads the facts about its server, and leaves nothing in its session")
    func facts() throws {
        expectEqual(connection.facts.vendor, .postgreSQL)
        #expect(connection.facts.version >= 120_000)
        #expect(connection.facts.versionText.hasPrefix("PostgreSQL "))
        #expect(!connection.facts.isStandby)
        #expect(!connection.facts.isPooled)
        expectEqual(connection.transactionState, .none)
        try expectEqual(connection.execute("SELECT 1 FROM pg_settings WHERE source = 'session'").count, 0)
    }

    @Test("A batch is one round trip, whatever its size, and its results are in order")
    func pipeline() throws {
        let before = connection.counters.roundTrips
        let results = try connection.pipeline { batch in
            for number in 0..<5_000 { batch.add("SELECT $1 + 1", [.integer(Int64(number))]) }
        }
        expectEqual(connection.counters.roundTrips, before + 1)
        expectEqual(results.count, 5_000)
        for (number, result) in results.enumerated() { try expectEqual(result.integer(0, 0), Int64(number + 1)) }
    }

    @Test("A statement that fails after the COMMIT of its batch does not fail the batch, if its sender says so")
    func failureAfterCommit() throws {
        try connection.execute("CREATE TEMPORARY TABLE kept (value bigint)")
        let batch = ["BEGIN", "INSERT INTO kept VALUES (7) RETURNING value", "COMMIT", "SELECT 1 / 0", "SELECT 2"]
            .map { SQLStatement($0) }
        var errors: [PostgreSQLError] = []
        let results = try connection.pipeline(batch, afterCommit: { errors.append($0) })
        expectEqual(errors.map(\.state), ["22012"])
        expectEqual(results.count, 5)
        try expectEqual(results[1].integer(0, 0), 7)
        expectEqual(results[4].count, 0)
        try expectEqual(connection.execute("SELECT count(*) FROM kept").integer(0, 0), 1)
        // Without the parameter, and before the COMMIT, the error is that of the batch.
        expectEqual(postgreSQLError { _ = try connection.pipeline(batch) }?.index, 3)
        let failing = ["BEGIN", "SELECT 1 / 0", "COMMIT", "SELECT 2"].map { SQLStatement($0) }
        let error = postgreSQLError { _ = try connection.pipeline(failing, afterCommit: { errors.append($0) }) }
        expectEqual(error?.state, "22012")
        expectEqual(errors.count, 1)
    }

    @Test("The end of a transaction that has read takes no round trip, and its reply is read in its time")
    func endReading() throws {
        let begin = SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for number in 0..<200 {
            let before = connection.counters.roundTrips
            let results = try connection.pipeline([begin, SQLStatement("SELECT $1", [.integer(Int64(number))])])
            try expectEqual(results[1].integer(0, 0), Int64(number))
            expectEqual(connection.transactionState, .open)
            try connection.endReading()
            expectEqual(connection.transactionState, .none)
            expectEqual(connection.counters.roundTrips, before + 1)
            switch number % 5 {
            case 0: #expect(connection.seemsAlive)
            case 1: try expectEqual(connection.execute("SELECT 7").integer(0, 0), 7)
            case 2: try connection.executeScript("SELECT 1; SELECT 2")
            case 3:
                usleep(1_000)
                #expect(connection.seemsAlive && connection.answers(within: .seconds(60)))
            default: break
            }
        }
        try connection.endReading()
        expectEqual(
            postgreSQLError { _ = try connection.pipeline([begin, SQLStatement("SELECT 1 / 0")]) }?.state,
            "22012"
        )
        expectEqual(connection.transactionState, .failed)
        try connection.endReading()
        expectEqual(connection.transactionState, .none)
        // The server ends the connection after the end of the transaction.
        _ = try connection.pipeline([begin, SQLStatement("SELECT 1")])
        try connection.endReading()
        try PostgreSQLServer.shared().execute("SELECT pg_terminate_backend(\(connection.facts.backend), 10000)")
        #expect(!connection.seemsAlive)
        expectEqual(postgreSQLError { try connection.execute("SELECT 1") }?.kind, .connectionLost)
        #expect(connection.isClosed)
    }

    @Test("A batch whose statements and results fill every buffer of both sides ends", .timeLimit(.minutes(1)))
    func fullBuffers() throws {
        let large = String(repeating: "x", count: 1 << 20)
        let results = try connection.pipeline { batch in
            for _ in 0..<64 { batch.add("SELECT $1, $1", [.text(large)]) }
        }
        for result in results { expectEqual(result.bytes(1, 0)?.count, 1 << 20) }
    }

    @Test("The statement that fails is named by its index; the others have no effect, and the connection is in step")
    func failingBatch() throws {
        try connection.execute("CREATE TABLE \(database.table("t")) (a int8 PRIMARY KEY)")
        let insert = "INSERT INTO \(database.table("t")) VALUES ($1)"
        for isPrepared in [false, true] {
            let error = try #require(
                postgreSQLError {
                    _ = try connection.pipeline {
                        $0.add(insert, [.integer(1)])
                        $0.add(insert, [.integer(2)])
                        $0.add(insert, [.integer(1)])
                        $0.add("SELECT nonsense")
                        $0.add(insert, [.integer(3)])
                    }
                }
            )
            expectEqual(error.index, 2)
            expectEqual(error.state, "23505")
            expectEqual(error.kind, .uniqueValue)
            expectEqual(error.statement, insert)
            expectEqual(error.table, "t")
            expectEqual(error.constraint, "t_pkey")
            expectEqual(EngineError(error).kind, .uniqueValue)
            expectEqual(connection.transactionState, .none, "prepared: \(isPrepared)")
            try expectEqual(connection.execute("SELECT * FROM \(database.table("t"))").count, 0)
        }
    }

    @Test("A statement that cannot be prepared is an error of that statement")
    func syntaxError() throws {
        let error = try #require(postgreSQLError { try connection.execute(SQLStatement("SELEKT $1", [.integer(1)])) })
        expectEqual(error.state, "42601")
        expectEqual(error.index, 0)
        try expectEqual(connection.execute(SQLStatement("SELECT $1", [.integer(1)])).integer(0, 0), 1)
    }

    @Test("A transaction that failed is over after a rollback; a committed one is there for others")
    func transactions() throws {
        let table = database.table("t")
        try connection.pipeline {
            $0.add("BEGIN ISOLATION LEVEL REPEATABLE READ")
            $0.add("CREATE TABLE \(table) (a int)")
        }
        expectEqual(connection.transactionState, .open)
        expectEqual(postgreSQLError { try connection.execute("SELECT 1 / 0") }?.state, "22012")
        expectEqual(connection.transactionState, .failed)
        #expect(connection.isInTransaction)
        try connection.execute("ROLLBACK")
        expectEqual(connection.transactionState, .none)
        try connection.pipeline {
            $0.add("BEGIN")
            $0.add("CREATE TABLE \(table) (a int)")
            $0.add("COMMIT")
        }
        let other = try PostgreSQLConnection(connection.address)
        try expectEqual(other.execute("SELECT * FROM \(table)").count, 0)
    }

    @Test("NULL takes the type of other calls, so that one prepared statement serves all")
    func nulls() throws {
        let table = database.table("t")
        try connection.execute("CREATE TABLE \(table) (a int4, b text, c uuid, d timestamptz)")
        let insert = "INSERT INTO \(table) VALUES ($1, $2, $3, $4)"
        let full: [SQLValue] = [.integer(1), .text("x"), .typed(.uuid(UUID())), .typed(.time(1))]
        for round in 0..<2 {
            for pattern in 0..<16 {
                let values = full.enumerated().map { pattern & 1 << $0 == 0 ? SQLValue.null : $1 }
                try expectEqual(connection.execute(SQLStatement(insert, values)).affectedRows, 1, "round \(round)")
            }
        }
        let rows = try connection.execute("SELECT count(*), count(a), count(b), count(c), count(d) FROM \(table)")
        try expectEqual((0..<5).map { try rows.integer($0, 0) }, [32, 16, 16, 16, 16])
        let prepared = try connection.execute("SELECT 1 FROM pg_prepared_statements WHERE statement = '\(insert)'")
            .count
        #expect((1...5).contains(prepared))
    }

    @Test("At most 256 statements stay prepared; the others are closed, also after failures")
    func eviction() throws {
        for number in 0..<600 { try connection.execute(SQLStatement("SELECT $1 + \(number)", [.integer(1)])) }
        _ = postgreSQLError {
            _ = try connection.pipeline(
                (0..<300).map { SQLStatement("SELECT 1 / $1 + \($0)", [.integer($0 == 9 ? 0 : 1)]) }
            )
        }
        try connection.execute(SQLStatement("SELECT 0"))
        let count = try connection.execute("SELECT count(*) FROM pg_prepared_statements").integer(0, 0)
        #expect(try #require(count) <= 256)
        try expectEqual(connection.execute(SQLStatement("SELECT $1 + 1", [.integer(1)])).integer(0, 0), 2)
    }

    @Test("Statements that a failed batch left unprepared are evicted without an error in an open transaction")
    func unpreparedStatements() throws {
        let failing = (0..<200).map { SQLStatement("SELECT 1 / $1 + \($0)", [.integer(0)]) }
        expectEqual(postgreSQLError { _ = try connection.pipeline(failing) }?.state, "22012")
        try connection.execute("BEGIN")
        // Each of them takes the place of an older one once there are 256.
        for number in 0..<256 {
            let result = try connection.execute(SQLStatement("SELECT $1 + \(number)", [.integer(1)]))
            try expectEqual(result.integer(0, 0), Int64(number + 1))
            expectEqual(connection.transactionState, .open, "statement \(number)")
        }
        try connection.execute("COMMIT")
        let count = try connection.execute("SELECT count(*) FROM pg_prepared_statements").integer(0, 0)
        expectEqual(count, 256)
    }

    @Test("A statement whose plan does not fit its table any more runs again; in a transaction the caller repeats it")
    func stalePlans() throws {
        let table = database.table("t")
        let query = SQLStatement("SELECT * FROM \(table) WHERE a = $1", [.integer(1)])
        try connection.execute("CREATE TABLE \(table) (a int)")
        try expectEqual(connection.execute(query).columnCount, 1)
        try database.server.execute("ALTER TABLE \(table) ADD b text")
        try expectEqual(connection.execute(query).columnCount, 2)
        try database.server.execute("ALTER TABLE \(table) ADD c text")
        try connection.execute("BEGIN")
        let error = try #require(postgreSQLError { try connection.execute(query) })
        expectEqual(error.kind, .stalePlan)
        #expect(error.isRetryable)
        // A server with lc_messages = de_DE.
        var translated = error
        translated.message = "gecachter Plan darf den Ergebnistyp nicht ändern"
        expectEqual(translated.kind, .stalePlan)
        expectEqual(EngineError(error).kind, .retry)
        try connection.execute("ROLLBACK")
        try connection.execute("BEGIN")
        try expectEqual(connection.execute(query).columnCount, 3)
        try connection.execute("ROLLBACK")
        try connection.execute("DEALLOCATE ALL")
        try expectEqual(connection.execute(query).columnCount, 3)
    }

    @Test("A cursor reads a large result in portions from one snapshot, while other statements run")
    func cursors() throws {
        let table = database.table("t")
        try connection.execute("CREATE TABLE \(table) AS SELECT n::int8 AS n FROM generate_series(1, 10000) n")
        let cursor = connection.cursor(SQLStatement("SELECT n FROM \(table) WHERE n > $1 ORDER BY n", [.integer(5)]))
        var sum = 0 as Int64
        var portions = 0
        while cursor.hasMore {
            let result = try cursor.next(1_000)
            for row in 0..<result.count { sum += try result.integer(0, row) ?? 0 }
            portions += 1
            if portions == 2 {
                try database.server.execute("DELETE FROM \(table)")
                try expectEqual(connection.execute("SELECT 1").count, 1)
            }
        }
        expectEqual(sum, 10_000 * 10_001 / 2 - 15)
        expectEqual(portions, 10)
        expectEqual(connection.transactionState, .none)
        expectEqual(postgreSQLError { _ = try cursor.next(1) }?.message, "the cursor has ended")
        let abandoned = connection.cursor(SQLStatement("SELECT generate_series(1, 100)"))
        _ = try abandoned.next(1)
        try abandoned.close()
        expectEqual(connection.transactionState, .none)
    }

    @Test("A cursor reads 100 MB of rows in the memory of some portions")
    func cursorMemory() throws {
        let pageCount = { () -> Int in
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return Int(text.split(separator: " ")[1]) ?? 0
        }
        let cursor = connection.cursor(SQLStatement("SELECT n, repeat('x', 490) FROM generate_series(1, 200000) n"))
        var rows = try cursor.next(5_000).count
        let before = try pageCount()
        var most = 0
        while cursor.hasMore {
            rows += try cursor.next(5_000).batch(kinds: [.integer, .text]).count
            most = max(most, try pageCount())
        }
        expectEqual(rows, 200_000)
        #expect(Sanitizer.isOn || (most - before) * Int(getpagesize()) < 40 << 20)
    }

    @Test("A running statement is cancelled from another thread; a cancellation between statements reaches none")
    func cancelling() throws {
        let canceller = connection.canceller
        #expect(!canceller.cancel())
        let began = ContinuousClock.now
        let error = try #require(
            postgreSQLError {
                try cancelled(connection) { try connection.execute("SELECT pg_sleep(30)") }
            }
        )
        #expect(ContinuousClock.now - began < .seconds(20))
        expectEqual(error.kind, .cancelled)
        for _ in 0..<20 { try expectEqual(connection.execute("SELECT 1").count, 1) }
    }

    @Test("Statements that conflict are errors that ask for another try")
    func conflicts() throws {
        let table = database.table("t")
        try connection.execute("CREATE TABLE \(table) AS SELECT 1 AS a")
        let other = try PostgreSQLConnection(connection.address)
        for each in [connection, other] {
            try each.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
            try each.execute("SELECT * FROM \(table)")
        }
        try other.pipeline {
            $0.add("UPDATE \(table) SET a = 2")
            $0.add("COMMIT")
        }
        let error = try #require(postgreSQLError { try connection.execute("UPDATE \(table) SET a = 3") })
        expectEqual(error.state, "40001")
        #expect(error.isRetryable)
        expectEqual(EngineError(error).kind, .retry)
    }

    @Test("Failures are engine errors of the right kinds, with cause and remedy")
    func errorKinds() throws {
        let table = database.table("t")
        try connection.execute("CREATE TABLE \(table) (a int NOT NULL CHECK (a > 0), b varchar(3))")
        let cases: [(String, EngineError.Kind, String)] = [
            ("SELECT * FROM \(database.table("missing"))", .incompatibleSchema, "missing"),
            ("SELECT missing FROM \(table)", .incompatibleSchema, "missing"),
            ("INSERT INTO \(table) VALUES (0)", .failed, "check constraint"),
            ("INSERT INTO \(table) VALUES (1, 'abcd')", .failed, "too long"),
            ("BEGIN READ ONLY; INSERT INTO \(table) VALUES (1)", .readOnly, "read-only"),
            ("ROLLBACK; BEGIN; SET LOCAL statement_timeout = 20; SELECT pg_sleep(10)", .failed, "statement timeout"),
        ]
        for (text, kind, part) in cases {
            let error = try #require(postgreSQLError { try connection.executeScript(text) })
            let engineError = EngineError(error)
            expectEqual(engineError.kind, kind, "\(text)")
            #expect(engineError.message.contains(part))
            #expect(engineError.remedy != nil)
            expectEqual(engineError.reason?.contains(error.state), true)
        }
    }

    @Test("A server without encryption is refused by an address that demands it, with the remedy")
    func missingEncryption() throws {
        let address = try DatabaseAddress(database.server.address("postgres", "sslmode=require"))
        let error = try #require(postgreSQLError { _ = try PostgreSQLConnection(address) })
        expectEqual(error.kind, .cannotConnect)
        #expect(error.message.contains("does not support SSL"))
        expectEqual(error.remedy?.contains("ssl = on"), true)
    }

    @Test("Each statement is reported with its time, rows and values")
    func observation() throws {
        let events = Mutex<[StatementEvent]>([])
        connection.observedRows = 1
        connection.observer = { event in events.withLock { $0.append(event) } }
        try connection.pipeline {
            $0.add("SELECT pg_sleep(0.05)")
            $0.add("SELECT n, 'x', NULL FROM generate_series(1, $1) n", [.integer(3)])
        }
        let list = events.withLock(\.self)
        expectEqual(list.map(\.rows), [1, 3])
        #expect(list[0].duration >= .milliseconds(50))
        #expect(list[1].duration < list[0].duration)
        expectEqual(list[1].bindings, [.integer(3)])
        expectEqual(list[1].values, [[.integer(1), .text("x"), .null]])
    }
}
