import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import Testing

struct ConnectionTests {
    private func makeConnection() throws -> Connection {
        let connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute(
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y')"
        )
        return connection
    }

    @Test("A text is prepared once, but a statement with pending rows is not reused")
    func statementCache() throws {
        let connection = try makeConnection()
        let first = try connection.prepare("SELECT a FROM t ORDER BY a")
        #expect(try connection.prepare("SELECT a FROM t ORDER BY a") === first)
        #expect(try first.step())
        let second = try connection.prepare("SELECT a FROM t ORDER BY a")
        #expect(second !== first)
        #expect(try second.step())
        #expect(try first.step())
        expectEqual(first.integer(0), 2)
        expectEqual(second.integer(0), 1)
        first.reset()
        second.reset()
        #expect(try connection.prepare("SELECT a FROM t ORDER BY a") === first)
    }

    @Test("More texts than the cache can hold still work")
    func cacheOverflow() throws {
        let connection = try makeConnection()
        for number in 0..<600 {
            try expectEqual(connection.rows("SELECT \(number % 400)"), [[.integer(Int64(number % 400))]])
        }
    }

    @Test("Every kind of value is returned as it was bound")
    func bindings() throws {
        let connection = try makeConnection()
        let values: [SQLValue] = [
            .null, .integer(.min), .integer(.max), .real(-0.1), .real(.infinity), .text(""), .text("é🙂\u{0}z"),
            .blob(Data()), .blob(Data([0, 1, 255])), .text(String(repeating: "long ", count: 1_000)),
        ]
        for value in values {
            try expectEqual(connection.rows("SELECT ?", [value]), [[value]])
        }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?, ?", [.null]) }
    }

    @Test("A transaction whose body throws leaves no changes")
    func rollback() throws {
        struct Failure: Error {}
        let connection = try makeConnection()
        #expect(throws: Failure.self) {
            try connection.transaction {
                try connection.run("DELETE FROM t")
                throw Failure()
            }
        }
        #expect(!connection.isInTransaction)
        try expectEqual(connection.rows("SELECT count(*) FROM t"), [[.integer(2)]])
        try connection.transaction { try connection.run("INSERT INTO t VALUES (NULL, 'z')") }
        expectEqual(connection.lastInsertRowID, 3)
        expectEqual(connection.changes, 1)
    }

    @Test("A second writer gets a busy error with a remedy")
    func busy() throws {
        let folder = try TemporaryFolder()
        let first = try Connection(path: folder.file("a"), mode: .create)
        try first.execute("CREATE TABLE t (a)")
        let second = try Connection(path: folder.file("a"), mode: .readWrite, busyTimeout: 1)
        try first.begin(.immediate)
        let error = #expect(throws: SQLiteError.self) { try second.begin(.immediate) }
        expectEqual(error?.kind, .busy)
        expectEqual(error?.description.contains("raise the store's timeout"), true)
        try first.rollback()
        try second.begin(.immediate)
        try second.commit()
    }

    @Test("Failures have distinct kinds: unique, read-only, no folder, syntax, closed")
    func failures() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.file("a"), mode: .create)
        try connection.execute("CREATE TABLE t (a UNIQUE, b NOT NULL)")
        try connection.run("INSERT INTO t VALUES (1, 1)")
        var error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1, 1)") }
        expectEqual(error?.kind, .uniqueConstraint)
        error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (2, NULL)") }
        expectEqual(error?.kind, .otherConstraint)
        error = #expect(throws: SQLiteError.self) { try connection.prepare("SELEKT") }
        expectEqual(error?.sql, "SELEKT")
        let reader = try Connection(path: folder.file("a"), mode: .readOnly)
        error = #expect(throws: SQLiteError.self) { try reader.run("DELETE FROM t") }
        expectEqual(error?.kind, .readOnly)
        error = #expect(throws: SQLiteError.self) { _ = try Connection(path: folder.file("no/a"), mode: .create) }
        expectEqual(error?.kind, .cannotOpen)
        let statement = try connection.prepare("SELECT 1")
        connection.close()
        #expect(throws: SQLiteError.self) { try statement.step() }
        #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 1") }
        #expect(throws: SQLiteError.self) { try statement.fetchBatch(kinds: [.integer]) }
    }

    @Test("A full disk is reported as full")
    func full() throws {
        let connection = try makeConnection()
        try connection.execute("PRAGMA max_page_count = 3")
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES (9, ?)", [.text(String(repeating: "x", count: 100_000))])
        }
        expectEqual(error?.kind, .full)
    }

    @Test("A closure is an SQL function, and its error fails the statement")
    func functions() throws {
        struct Failure: Error, CustomStringConvertible { let description = "no such luck" }
        let connection = try makeConnection()
        try connection.registerFunction("joined", argumentCount: -1) { arguments in
            .text(arguments.map { "\($0)" }.joined(separator: ";"))
        }
        try expectEqual(
            connection.rows("SELECT joined(1, 'a', NULL, 2.5)"),
            [[.text("integer(1);text(\"a\");null;real(2.5)")]]
        )
        try connection.registerFunction("failing", argumentCount: 0) { _ in throw Failure() }
        let error = #expect(throws: SQLiteError.self) { try connection.rows("SELECT failing()") }
        expectEqual(error?.message, "no such luck")
    }

    @Test("A closure is a collation")
    func collations() throws {
        let connection = try makeConnection()
        try connection.registerCollation("backwards") { left, right in
            Array(right).lexicographicallyPrecedes(Array(left)) ? -1 : (left.elementsEqual(right) ? 0 : 1)
        }
        try expectEqual(connection.rows("SELECT b FROM t ORDER BY b COLLATE backwards"), [[.text("y")], [.text("x")]])
    }

    @Test("An observer receives text, values and rows of each run")
    func observer() throws {
        let connection = try makeConnection()
        var events: [StatementEvent] = []
        connection.observer = { events.append($0) }
        _ = try connection.rows("SELECT a FROM t WHERE a > ?", [.integer(0)])
        let statement = try connection.prepare("SELECT a, b FROM t")
        _ = try statement.fetchBatch(kinds: [.integer, .text])
        connection.observer = nil
        _ = try connection.rows("SELECT 1")
        expectEqual(events.map(\.text), ["SELECT a FROM t WHERE a > ?", "SELECT a, b FROM t"])
        expectEqual(events.map(\.rows), [2, 2])
        expectEqual(events.first?.bindings, [.integer(0)])
    }

    @Test("A path with the characters of a URI is opened literally")
    func uriCharacters() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a?b#c%20 ü.sqlite")
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        let reader = try Connection(path: path, mode: .immutable)
        try expectEqual(reader.rows("SELECT name FROM sqlite_master"), [[.text("t")]])
        try expectEqual(folder.contents().keys.sorted(), ["a?b#c%20 ü.sqlite"])
    }

    @Test("A path that begins with several slashes is not the name of a host", arguments: 1...3)
    func slashes(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.sqlite")
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        let reader = try Connection(path: String(repeating: "/", count: count) + path, mode: .immutable)
        try expectEqual(reader.rows("SELECT name FROM sqlite_master"), [[.text("t")]])
    }
}
