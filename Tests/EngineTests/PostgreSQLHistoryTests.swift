// The persistent history of a PostgreSQL store: whole whichever transactions of the server run or end meanwhile.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Synchronization
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: the history", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLHistoryTests {
    /// The authors of all saves.
    private func authors(_ stack: EngineStack) throws -> [String?] {
        try stack.elsewhere { (context) throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryTransaction]).map(\.author)
        }
    }

    @Test("The history waits for saves with smaller numbers, and for no other program's transactions")
    func numbersInOrder() throws {
        let stack = try EngineStack(.postgreSQL)
        let engine = try stack.postgreSQLEngine
        let schema = engine.configuration.address.schema
        func begin(_ statements: String...) throws -> PostgreSQLConnection {
            let connection = try PostgreSQLConnection(engine.configuration.address)
            try connection.execute("BEGIN")
            for statement in statements { try connection.execute(statement) }
            return connection
        }
        func save(_ name: String) throws -> [String?] {
            try stack.elsewhere { (context) throws in
                context.transactionAuthor = name
                context.make("Owner", ["name": name])
                try context.save()
            }
            return try authors(stack)
        }
        // The transaction of another program, which already has a number.
        let program = try begin("CREATE TABLE \(schema).other (n int)", "INSERT INTO \(schema).other VALUES (1)")
        defer { program.close() }
        try expectEqual(save("a"), ["a"])
        // A save that is not committed.
        let writer = try begin(
            "LOCK TABLE \(schema)._transaction IN ROW EXCLUSIVE MODE",
            "INSERT INTO \(schema).\"Tag\" (name) VALUES ('open')"
        )
        defer { writer.close() }
        try expectEqual(save("b"), ["a"])
        try writer.execute("ROLLBACK")
        try expectEqual(authors(stack), ["a", "b"])
    }

    @Test(
        "Changes whose numbers of rows no save writes are left out",
        arguments: ["count = -1", "key = 9223372036854775807, count = 2"]
    )
    func damagedCounts(damage: String) throws {
        let stack = try EngineStack(.postgreSQL)
        try stack.elsewhere { (context) throws in
            context.make("Owner", ["name": "a"])
            try context.save()
        }
        let address = try stack.postgreSQLEngine.configuration.address
        let connection = try PostgreSQLConnection(address)
        defer { connection.close() }
        try connection.execute("UPDATE \(address.schema)._change SET \(damage)")
        try stack.elsewhere { (context) throws in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transaction = try #require((result?.result as? [NSPersistentHistoryTransaction])?.first)
            expectEqual(transaction.changes?.count, 0)
        }
    }

    @Test("A save is in the history at once, also while transactions of other programs end")
    func ownSaves() throws {
        let stack = try EngineStack(.postgreSQL)
        let address = try stack.postgreSQLEngine.configuration.address
        let isDone = Atomic<Bool>(false)
        let ended = Atomic<Int>(0)
        let others = DispatchGroup()
        defer {
            isDone.store(true, ordering: .relaxed)
            others.wait()
        }
        for _ in 0..<3 {
            let connection = try PostgreSQLConnection(address)
            others.enter()
            Thread.detachNewThread {
                defer { others.leave() }
                while !isDone.load(ordering: .relaxed) {
                    // Many of them begin before a save, and end while the history is read.
                    for statement in ["BEGIN", "SELECT pg_current_xact_id()"] { _ = try? connection.execute(statement) }
                    Thread.sleep(forTimeInterval: .random(in: 0...0.008))
                    if (try? connection.execute("COMMIT")) != nil { ended.add(1, ordering: .relaxed) }
                }
                connection.close()
            }
        }
        for number in 1...300 {
            try stack.elsewhere { (context) throws in
                context.transactionAuthor = "\(number)"
                context.make("Owner", ["name": "\(number)"])
                try context.save()
            }
            try expectEqual(authors(stack).last, "\(number)")
        }
        #expect(ended.load(ordering: .relaxed) > 100)
    }

    @Test("The history of one snapshot stays the same when another program's transaction ends")
    func sameSnapshot() throws {
        let stack = try EngineStack(.postgreSQL)
        let engine = try stack.postgreSQLEngine
        let program = try PostgreSQLConnection(engine.configuration.address)
        defer { program.close() }
        for statement in ["BEGIN", "SELECT pg_current_xact_id()"] { try program.execute(statement) }
        try stack.run { (context) throws in
            context.make("Owner", ["name": "a"])
            try context.save()
        }
        let session = try engine.lease(holdsSnapshot: true)
        defer { engine.giveBack(session) }
        let history = try #require(session as? any HistoryReadSession)
        let last = try history.lastTransaction()
        #expect(try #require(last) > 0)
        try program.execute("COMMIT")
        try expectEqual(history.lastTransaction(), last)
        let transactions = try history.transactions(after: 0, date: nil, withChanges: true, limit: -1)
        expectEqual(transactions.map(\.number), [last])
        expectEqual(transactions.first?.changes.count, 1)
    }
}
