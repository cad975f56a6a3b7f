import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import Synchronization
import Testing

@Suite(.server)
struct PostgreSQLPoolTests {
    private func pool(_ parameters: String, checkedAfter: Duration = .seconds(30)) throws -> PostgreSQLPool {
        let address = try DatabaseAddress(PostgreSQLServer.shared().address("postgres", parameters))
        return PostgreSQLPool(address, checkedAfter: checkedAfter)
    }

    /// Runs `body` on a thread of its own, because it blocks.
    private func thread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) -> Task<R, any Error> {
        let stream = AsyncStream<Result<R, any Error>>.makeStream()
        Thread.detachNewThread {
            stream.continuation.yield(Result(catching: body))
            stream.continuation.finish()
        }
        return Task {
            for await result in stream.stream { return try result.get() }
            throw CancellationError()
        }
    }

    @Test("A connection is used again; a transaction that was left open is rolled back")
    func reuse() throws {
        let pool = try pool("pool=2")
        let backend = try pool.withConnection { connection in
            try connection.execute("BEGIN")
            return connection.facts.backend
        }
        try pool.withConnection { connection in
            expectEqual(connection.facts.backend, backend)
            expectEqual(connection.transactionState, .none)
        }
        expectEqual(pool.count, 1)
        expectEqual(pool.leasedCount, 0)
        expectEqual(pool.counters.connections, 1)
    }

    @Test("More callers than connections are served in order, with at most the limit open")
    func fairness() async throws {
        // Other tests may keep every thread of the cooperative pool for minutes, during which no caller may give up.
        let pool = try pool("pool=1&timeout=3600")
        let first = try pool.lease()
        let order = Mutex<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<6 {
            tasks.append(
                thread {
                    let connection = try pool.lease()
                    order.withLock { $0.append(number) }
                    pool.giveBack(connection)
                }
            )
            while pool.waitingCount <= number { try await Task.sleep(for: .milliseconds(1)) }
        }
        pool.giveBack(first)
        for task in tasks { try await task.value }
        expectEqual(order.withLock(\.self), Array(0..<6))
        expectEqual(pool.counters.connections, 1)
    }

    @Test("A caller that waited too long learns how many connections are in use, and how to have more")
    func timeout() throws {
        let pool = try pool("pool=2&timeout=0.2")
        let connections = [try pool.lease(), try pool.lease()]
        let began = ContinuousClock.now
        let error = try #require(throws: EngineError.self) { _ = try pool.lease() }
        #expect(ContinuousClock.now - began >= .milliseconds(190))
        expectEqual(error.kind, .busy)
        expectEqual(error.reason?.contains("All 2 of 2 connections are in use"), true)
        expectEqual(error.remedy?.contains("pool="), true)
        expectEqual(pool.waitingCount, 0)
        for connection in connections { pool.giveBack(connection) }
        #expect(throws: Never.self) { try pool.withConnection { _ in } }
    }

    @Test("Connections that the server has ended are replaced, when idle and when leased")
    func brokenConnections() throws {
        let pool = try pool("pool=3")
        let server = try PostgreSQLServer.shared()
        let leased = try pool.lease()
        let idle = try pool.lease()
        let ended = [leased.facts.backend, idle.facts.backend]
        pool.giveBack(idle)
        try server.execute("SELECT pg_terminate_backend(\(ended[0])), pg_terminate_backend(\(ended[1]))")
        while try server.execute("SELECT 1 FROM pg_stat_activity WHERE pid IN (\(ended[0]), \(ended[1]))").count > 0 {}
        try pool.withConnection { #expect(!ended.contains($0.facts.backend)) }
        let error = try #require(postgreSQLError { try leased.execute("SELECT 1") })
        expectEqual(error.kind, .connectionLost)
        expectEqual(error.remedy?.contains("server runs"), true)
        #expect(leased.isClosed)
        expectEqual(postgreSQLError { try leased.execute("SELECT 1") }?.message, "the connection is closed")
        pool.giveBack(leased)
        expectEqual(pool.count, 1)
        expectEqual(pool.leasedCount, 0)
    }

    @Test("A connection that was idle for long is asked whether it works")
    func idleCheck() throws {
        let pool = try pool("pool=1", checkedAfter: .zero)
        try pool.withConnection { _ in }
        let before = pool.counters.roundTrips
        try expectEqual(pool.withConnection { try $0.execute("SELECT 1").count }, 1)
        expectEqual(pool.counters.roundTrips, before + 2)
        expectEqual(pool.counters.connections, 1)
    }

    @Test("After a failure to connect, the next caller tries again")
    func failingConnections() async throws {
        let server = try PostgreSQLServer.shared()
        let name = "later\(getpid())"
        let pool = PostgreSQLPool(try DatabaseAddress(server.address(name, "pool=1")))
        let error = try #require(throws: EngineError.self) { _ = try pool.lease() }
        expectEqual(error.kind, .cannotOpen)
        #expect(error.message.contains("\"\(name)\" does not exist"))
        expectEqual(error.remedy?.contains("createdb"), true)
        expectEqual(pool.count, 0)
        try server.execute("CREATE DATABASE \(name)")
        try expectEqual(pool.withConnection { try $0.execute("SELECT 1").count }, 1)
    }

    @Test("Closing ends idle connections, callers that wait, and leases that follow")
    func closing() async throws {
        let pool = try pool("pool=1&timeout=3600")
        let connection = try pool.lease()
        let waiting = thread { _ = try pool.lease() }
        while pool.waitingCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        pool.close()
        let error = await #expect(throws: EngineError.self) { try await waiting.value }
        expectEqual(error?.kind, .closed)
        try expectEqual(connection.execute("SELECT 1").count, 1)
        pool.giveBack(connection)
        #expect(connection.isClosed)
        #expect(throws: EngineError.self) { _ = try pool.lease() }
        expectEqual(pool.count, 0)
    }

    @Test(
        "Threads that lease, break and return connections at random leave a pool that is whole",
        .timeLimit(.minutes(1))
    )
    func stress() async throws {
        let pool = try pool("pool=4&timeout=30")
        let tasks = (0..<12).map { number in
            thread {
                for round in 0..<60 {
                    let connection = try pool.lease()
                    switch (number + round) % 5 {
                    case 0: connection.close()
                    case 1: try connection.execute("BEGIN")
                    case 2: _ = try? connection.execute("SELECT 1 / 0")
                    default: try connection.execute("SELECT 1")
                    }
                    pool.giveBack(connection)
                }
            }
        }
        for task in tasks { try await task.value }
        expectEqual(pool.leasedCount, 0)
        expectEqual(pool.waitingCount, 0)
        #expect(pool.count <= 4)
        try pool.withConnection { expectEqual($0.transactionState, .none) }
    }
}
