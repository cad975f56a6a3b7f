import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import Testing

@Suite(.server)
struct PostgreSQLServerTests {
    private func connect(_ text: String) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(DatabaseAddress(text))
    }

    @Test("Passwords are checked by SCRAM; errors name the cause and never the password")
    func passwords() throws {
        let server = try PostgreSQLServer(authentication: .scram)
        let connection = try connect(server.address("postgres", "sslmode=disable", password: PostgreSQLServer.password))
        try expectEqual(connection.execute("SELECT current_user").string(0, 0), PostgreSQLServer.user)
        let wrong = try #require(postgreSQLError { _ = try connect(server.address(password: "hunter2")) })
        expectEqual(wrong.kind, .wrongPassword)
        #expect(!"\(wrong)".contains("hunter2"))
        expectEqual(EngineError(wrong).kind, .cannotOpen)
        expectEqual(EngineError(wrong).remedy?.contains("password"), true)
        let none = try #require(postgreSQLError { _ = try connect(server.address()) })
        expectEqual(none.kind, .wrongPassword)
    }

    @Test("A killed server comes back with everything that was committed")
    func kill() throws {
        let server = try PostgreSQLServer()
        let connection = try connect(server.address())
        try connection.executeScript("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
        try connection.pipeline {
            $0.add("BEGIN")
            $0.add("INSERT INTO t VALUES (2)")
        }
        try server.killAndRestart()
        let error = try #require(postgreSQLError { try connection.execute("COMMIT") })
        expectEqual(error.kind, .connectionLost)
        expectEqual(error.state, "08007")
        expectEqual(error.detail?.contains("not known"), true)
        #expect(connection.isClosed)
        let again = try connect(server.address())
        try expectEqual(again.execute("SELECT a FROM t").count, 1)
        try server.stop()
        let refused = try #require(postgreSQLError { _ = try connect(server.address()) })
        expectEqual(refused.kind, .cannotConnect)
        #expect(refused.message.contains("127.0.0.1:\(server.port)"))
    }

    @Test("A server that goes away in the middle of a statement is reported", arguments: ["stop", "kill"])
    func serverGone(way: String) throws {
        let server = try PostgreSQLServer()
        let connection = try connect(server.address())
        let query = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()"
        Thread.detachNewThread {
            while (try? server.execute(query).isEmpty) == true { usleep(5_000) }
            if way == "stop" { try? server.stop(.fast) } else { server.kill() }
        }
        let error = try #require(postgreSQLError { try connection.execute("SELECT pg_sleep(60)") })
        expectEqual(error.kind, .connectionLost)
        #expect(
            error.message.contains("the connection to postgresql://postgres@127.0.0.1:\(server.port)/postgres is lost")
        )
        expectEqual(connection.transactionState, .unknown)
    }

    @Test("Too many connections are an error that names the limit")
    func tooManyConnections() throws {
        let server = try PostgreSQLServer(maximumConnections: 16)
        var connections: [PostgreSQLConnection] = []
        let error = try #require(
            postgreSQLError { for _ in 0..<20 { connections.append(try connect(server.address())) } }
        )
        expectEqual(error.kind, .tooManyConnections)
        expectEqual(EngineError(error).remedy?.contains("max_connections"), true)
        #expect(connections.count > 8)
    }

    @Test("A standby follows, rejects writes, and is found again after its promotion")
    func standby() throws {
        let server = try PostgreSQLServer()
        let standby = try server.makeStandby()
        try server.execute("CREATE TABLE t AS SELECT 1 AS a")
        try server.waitForReplay(by: standby)
        let reader = try connect(standby.address())
        #expect(reader.facts.isStandby)
        try expectEqual(reader.execute("SELECT * FROM t").count, 1)
        let error = try #require(postgreSQLError { try reader.execute("INSERT INTO t VALUES (2)") })
        expectEqual(error.kind, .readOnly)
        expectEqual(EngineError(error).kind, .readOnly)
        let both =
            "postgresql://postgres@127.0.0.1:\(standby.port),127.0.0.1:\(server.port)/postgres"
            + "?target_session_attrs=read-write&readers=127.0.0.1:\(standby.port)"
        #expect(try !connect(both).facts.isStandby)
        #expect(try PostgreSQLConnection(DatabaseAddress(both).readers[0]).facts.isStandby)
        // Without a server at the IP address: only the standby's own host leads to it.
        let fixed =
            "postgresql://postgres@127.0.0.1:\(server.port)/postgres"
            + "?hostaddr=127.0.0.9&readers=127.0.0.1:\(standby.port)"
        #expect(try PostgreSQLConnection(DatabaseAddress(fixed).readers[0]).facts.isStandby)
        server.kill()
        try standby.promote()
        let promoted = try connect(both)
        #expect(!promoted.facts.isStandby)
        try expectEqual(promoted.execute("INSERT INTO t VALUES (2)").affectedRows, 1)
    }

    @Test("Behind PgBouncer in transaction mode everything works without prepared statements", .pooler)
    func pooler() throws {
        let server = try PostgreSQLServer.shared()
        let pooler = try server.makePooler(size: 2)
        let schema = try server.makeSchema()
        let connections = try (0..<6).map { _ in try connect(pooler.address()) }
        for connection in connections {
            #expect(connection.facts.isPooled)
            #expect(connection.answers(within: .seconds(5)))
        }
        try connections[0].execute("CREATE TABLE \(schema).t (a int8, b text)")
        for round in 0..<30 {
            for (number, connection) in connections.enumerated() {
                try connection.pipeline {
                    $0.add("BEGIN")
                    $0.add("INSERT INTO \(schema).t VALUES ($1, $2)", [.integer(Int64(number)), .text("\(round)")])
                    $0.add("COMMIT")
                }
                _ = postgreSQLError { try connection.execute(SQLStatement("SELECT 1 / $1", [.integer(0)])) }
            }
        }
        let count = try connections[5].copyIn("COPY \(schema).t (a) FROM STDIN (FORMAT binary)") { writer in
            for _ in 0..<100 {
                try writer.beginRow(fields: 1)
                writer.append(7 as Int64)
            }
        }
        expectEqual(count, 100)
        let cursor = connections[1].cursor(SQLStatement("SELECT a FROM \(schema).t"))
        var rows = 0
        while cursor.hasMore { rows += try cursor.next(64).count }
        expectEqual(rows, 280)
        let cancellation = postgreSQLError {
            try cancelled(connections[2]) { try connections[2].execute("SELECT pg_sleep(30)") }
        }
        expectEqual(cancellation?.kind, .cancelled)
        #expect(try server.execute("SELECT 1 FROM pg_prepared_statements").isEmpty)
        pooler.stop()
        expectEqual(postgreSQLError { try connections[3].execute("SELECT 1") }?.kind, .connectionLost)
    }

    @Test("A database whose texts have no encoding is refused")
    func encoding() throws {
        let server = try PostgreSQLServer.shared()
        let name = "ascii\(getpid())"
        try server.execute("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
        let error = try #require(postgreSQLError { _ = try connect(server.address(name)) })
        #expect(error.message.contains("SQL_ASCII"))
        expectEqual(error.remedy?.contains("UTF8"), true)
    }

    @Test("A server and its folder end with the process that started them, even if it is killed")
    func watcher() async throws {
        let owner = Process()
        owner.executableURL = URL(filePath: "/bin/sleep")
        owner.arguments = ["600"]
        try owner.run()
        let server = try PostgreSQLServer(endingWith: owner.processIdentifier)
        let process = try #require(server.processIdentifier)
        let pooler = PgBouncer.isInstalled ? try server.makePooler() : nil
        #expect(FileManager.default.fileExists(atPath: server.folder.path))
        Foundation.kill(owner.processIdentifier, SIGKILL)
        owner.waitUntilExit()
        let began = ContinuousClock.now
        while FileManager.default.fileExists(atPath: server.socketFolder.path),
            ContinuousClock.now - began < .seconds(20)
        {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(!FileManager.default.fileExists(atPath: server.socketFolder.path))
        expectNil(server.processIdentifier)
        #expect(!PostgreSQLServer.isRunning(process))
        if let pooler { expectEqual(postgreSQLError { _ = try connect(pooler.address()) }?.kind, .cannotConnect) }
    }
}
