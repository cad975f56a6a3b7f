import ExpectationSupport
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite
import Testing

struct RowBatchTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", mode: .create)
    }

    @Test("Rows are returned completely, whatever their number", arguments: Array(0..<20) + [100, 1_000])
    func growth(count: Int) throws {
        try connection.execute("CREATE TABLE t (a INTEGER, b FLOAT, c VARCHAR, d BLOB)")
        for row in 0..<count {
            try connection.run(
                "INSERT INTO t VALUES (?, ?, ?, ?)",
                [
                    .integer(Int64(row)), .real(Double(row) / 2), .text(String(repeating: "é", count: row % 50)),
                    .blob(Data(repeating: UInt8(row % 256), count: row % 33)),
                ]
            )
        }
        let statement = try connection.prepare("SELECT a, b, c, d FROM t ORDER BY a")
        let batch = try statement.fetchBatch(kinds: [.integer, .real, .text, .blob])
        expectEqual(batch.count, count)
        #expect(!batch.hasMore)
        for row in 0..<count {
            expectEqual(batch.integer(0, row), Int64(row))
            expectEqual(batch.real(1, row), Double(row) / 2)
            expectEqual(batch.string(2, row), String(repeating: "é", count: row % 50))
            expectEqual(batch.data(3, row), Data(repeating: UInt8(row % 256), count: row % 33))
            #expect((0..<4).allSatisfy { !batch.isNull($0, row) })
        }
    }

    @Test("A limit ends the batch and reports whether there are more rows", arguments: 0..<4)
    func limit(maximum: Int) throws {
        let statement = try connection.prepare("VALUES (1), (2)")
        let batch = try statement.fetchBatch(kinds: [.integer], maximumRows: maximum)
        expectEqual(batch.count, min(maximum, 2))
        expectEqual(batch.hasMore, (maximum < 2))
        #expect(!statement.isActive)
    }

    @Test("A result above the limit of its memory is an error that names the remedy; its parts are read")
    func memory() throws {
        try connection.execute("CREATE TABLE t (a INTEGER, b VARCHAR)")
        for row in 0..<40_000 { try connection.run("INSERT INTO t VALUES (?, NULL)", [.integer(Int64(row))]) }
        try connection.run("INSERT INTO t VALUES (-1, ?)", [.text(String(repeating: "t", count: 700_000))])
        connection.resultLimit = 1 << 20
        let statement = try connection.prepare("SELECT a, b FROM t ORDER BY a DESC")
        var read = 0
        while true {
            let part = try statement.fetchPortion(kinds: [.integer, .text], maximumRows: 10_000)
            read += part.count
            if !part.hasMore { break }
        }
        expectEqual(read, 40_001)
        for text in ["SELECT a, b FROM t", "SELECT a, b FROM t ORDER BY a LIMIT 20000"] {
            let error = #expect(throws: SQLiteError.self) {
                try connection.prepare(text).fetchBatch(kinds: [.integer, .text])
            }
            expectEqual(error?.kind, .outOfMemory)
            expectEqual(error?.message, "the rows of one fetch take more than 1 MB, the limit for one result")
            expectEqual(error?.remedy?.contains("fetchBatchSize or fetchLimit"), true)
        }
        let next = try connection.prepare("SELECT a, b FROM t ORDER BY a LIMIT 2").fetchBatch(kinds: [.integer, .text])
        expectEqual(next.count, 2)
        expectEqual(next.string(1, 0).count, 700_000)
    }

    @Test("The limit is that of the environment, or a quarter of the memory")
    func memoryLimit() {
        expectEqual(ResultMemory.limit(of: nil, available: 4 << 30), 1 << 30)
        expectEqual(ResultMemory.limit(of: nil, available: 1 << 20), 64 << 20)
        expectEqual(ResultMemory.limit(of: "3", available: 4 << 30), 3 << 20)
        expectEqual(ResultMemory.limit(of: "0", available: 4 << 30), .max)
        expectEqual(ResultMemory.limit(of: "9223372036854775807", available: 4 << 30), .max)
        for text in ["", "-1", "a lot"] { expectEqual(ResultMemory.limit(of: text, available: 4 << 30), 1 << 30) }
    }

    @Test("NULL is distinct from zero and empty, in every column of a wide row", arguments: [1, 63, 64, 65, 130])
    func nulls(columns: Int) throws {
        for nullColumn in 0..<columns {
            let list = (0..<columns).map { $0 == nullColumn ? "NULL" : "''" }.joined(separator: ", ")
            let batch = try connection.prepare("SELECT \(list)")
                .fetchBatch(kinds: Array(repeating: .text, count: columns))
            expectEqual((0..<columns).filter { batch.isNull($0, 0) }, [nullColumn])
        }
    }

    @Test("A number of another type is converted")
    func conversions() throws {
        let statement = try connection.prepare("SELECT 3, 1.5, 7, 1.5, x'41', NULL, NULL")
        let batch = try statement.fetchBatch(kinds: [.real, .integer, .text, .text, .text, .integer, .blob])
        expectEqual(batch.real(0, 0), 3)
        expectEqual(batch.integer(1, 0), 1)
        expectEqual(batch.string(2, 0), "7")
        expectEqual(batch.string(3, 0), "1.5")
        expectEqual(batch.string(4, 0), "A")
        expectEqual(batch.integer(5, 0), 0)
        #expect(batch.data(6, 0).isEmpty)
        #expect(batch.isNull(5, 0) && batch.isNull(6, 0))
    }

    @Test(
        "A value of the wrong type is an error that names column and row, and the statement can be used again",
        arguments: [
            ("'abc'", ColumnKind.integer, "no number"), ("x'01'", .integer, "no number"), ("'12'", .real, "no number"),
            ("x'ff41'", .text, "text that is not UTF-8"), ("CAST(x'61c3' AS TEXT)", .text, "text that is not UTF-8"),
            ("CAST(x'eda080' AS TEXT)", .text, "text that is not UTF-8"),
            ("zeroblob(15)", .uuid, "no UUID of 16 bytes"),
            ("'0123456789abcdef'", .uuid, "no UUID of 16 bytes"),
        ]
    )
    func damagedValues(value: String, kind: ColumnKind, reason: String) throws {
        let statement = try connection.prepare("SELECT 5 AS Z_PK, CASE ? WHEN 1 THEN \(value) END AS ZNAME")
        try statement.bind(1, Int64(1))
        let error = #expect(throws: SQLiteError.self) { try statement.fetchBatch(kinds: [.integer, kind]) }
        expectEqual(error?.kind, .corrupt)
        expectEqual(error?.message, "ZNAME, row 5: \(reason)")
        try statement.bind(1, Int64(2))
        #expect(try statement.fetchBatch(kinds: [.integer, kind]).isNull(1, 0))
    }

    @Test(
        "Text with every kind of character is UTF-8",
        arguments: ["", "plain", "ü", "12345678ü", "€uro", "😀", "a\u{0}b", "\u{10FFFF}"]
    )
    func wellFormedText(text: String) throws {
        let statement = try connection.prepare("SELECT ?")
        try statement.bind(1, text)
        try expectEqual(statement.fetchBatch(kinds: [.text]).string(0, 0), text)
    }

    @Test("A date stored as an integer is read as the same number")
    func integerDate() throws {
        try connection.execute("CREATE TABLE t (a TIMESTAMP); INSERT INTO t VALUES (700000000), (700000000.25)")
        let batch = try connection.prepare("SELECT a FROM t").fetchBatch(kinds: [.real])
        expectEqual(batch.real(0, 0), 700_000_000)
        expectEqual(batch.real(0, 1), 700_000_000.25)
    }

    @Test("Bytes are accessed without copying")
    func bytes() throws {
        let batch = try connection.prepare("SELECT 'a' || char(0) || 'b', x'0102'").fetchBatch(kinds: [.text, .blob])
        expectEqual(batch.withUTF8Bytes(0, 0) { Array($0) }, [97, 0, 98])
        expectEqual(batch.withBytes(1, 0) { Array($0) }, [1, 2])
        expectEqual(batch.string(0, 0), "a\u{0}b")
    }

    @Test("More columns than those of the statement are refused")
    func tooManyKinds() throws {
        let statement = try connection.prepare("SELECT 1")
        #expect(throws: SQLiteError.self) { try statement.fetchBatch(kinds: [.integer, .integer]) }
    }

    @Test("An error in the middle of the rows is thrown, and the statement can be used again")
    func failure() throws {
        struct Failure: Error {}
        try connection.registerFunction("check_three", argumentCount: 1, deterministic: false) { arguments in
            if arguments == [.integer(3)] { throw Failure() }
            return .null
        }
        let statement = try connection.prepare(
            "WITH n(a) AS (VALUES (1), (2), (3)) SELECT check_three(a) FROM n WHERE a <= ?"
        )
        try statement.bind(1, Int64(3))
        #expect(throws: SQLiteError.self) { try statement.fetchBatch(kinds: [.integer]) }
        try statement.bind(1, Int64(2))
        try expectEqual(statement.fetchBatch(kinds: [.integer]).count, 2)
    }
}
