import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import Testing

@Suite(.server)
struct PostgreSQLBatchTests {
    private let database: TestDatabase
    private var connection: PostgreSQLConnection { database.connection }

    init() throws { database = try TestDatabase() }

    @Test("Rows of all kinds are decoded completely", arguments: [0, 1, 63, 1_000])
    func rows(count: Int) throws {
        let result = try connection.execute(
            """
            SELECT n, n::int4, n::int2, n % 2 = 0, n::float8 / 2, n::float4 / 2, n::numeric / 8,
                timestamptz '2001-01-01 00:00Z' + n * interval '1 second', repeat('é', n::int4 % 50),
                (n / 4.0)::numeric, decode(repeat('0f', n::int4 % 33), 'hex'),
                lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 3 = 0 THEN 'three' END
            FROM generate_series(0::int8, \(count) - 1) AS g(n) ORDER BY g.n
            """
        )
        let batch = try result.batch(
            kinds: [
                .integer, .integer, .integer, .integer, .real, .real, .real, .real, .text, .text, .blob, .uuid, .text,
            ]
        )
        expectEqual(batch.count, count)
        #expect(!batch.hasMore)
        for row in 0..<count {
            #expect((0..<3).allSatisfy { batch.integer($0, row) == Int64(row) })
            expectEqual(batch.integer(3, row), (row % 2 == 0 ? 1 : 0))
            expectEqual(batch.real(4, row), Double(row) / 2)
            expectEqual(batch.real(5, row), Double(row) / 2)
            expectEqual(batch.real(6, row), Double(row) / 8)
            expectEqual(batch.real(7, row), Double(row))
            expectEqual(batch.string(8, row), String(repeating: "é", count: row % 50))
            expectEqual(batch.string(9, row), (Decimal(row) / 4).description)
            expectEqual(batch.data(10, row), Data(repeating: 15, count: row % 33))
            expectEqual(batch.data(11, row).last, UInt8(row & 255))
            expectEqual(batch.isNull(12, row), (row % 3 != 0))
            #expect((0..<12).allSatisfy { !batch.isNull($0, row) })
        }
    }

    @Test("NULL is distinct from zero and empty, in every column of a wide row", arguments: [1, 63, 64, 65, 130])
    func nulls(columns: Int) throws {
        for nullColumn in 0..<columns {
            let list = (0..<columns).map { $0 == nullColumn ? "NULL" : "''" }.joined(separator: ", ")
            let batch = try connection.execute("SELECT \(list)").batch(kinds: Array(repeating: .text, count: columns))
            expectEqual((0..<columns).filter { batch.isNull($0, 0) }, [nullColumn])
        }
    }

    @Test("A limit cuts the batch and reports that there are more rows", arguments: 0..<4)
    func limit(maximum: Int) throws {
        let batch = try connection.execute("VALUES (1), (2)").batch(kinds: [.integer], maximumRows: maximum)
        expectEqual(batch.count, min(maximum, 2))
        expectEqual(batch.hasMore, (maximum < 2))
    }

    @Test("Numbers of other types are converted, and a NULL without a type fits every kind")
    func conversions() throws {
        let batch = try connection.execute(
            "SELECT 3::int8, 3::int4, 3::int2, sum(n), avg(n), NULL, NULL, NULL FROM (VALUES (1::int8), (2)) AS v(n)"
        )
        .batch(kinds: [.real, .real, .real, .integer, .real, .integer, .blob, .uuid])
        #expect((0..<3).allSatisfy { batch.real($0, 0) == 3 })
        expectEqual(batch.integer(3, 0), 3)
        expectEqual(batch.real(4, 0), 1.5)
        #expect((5..<8).allSatisfy { batch.isNull($0, 0) })
        let texts = try connection.execute(
            "SELECT 'a'::varchar, 1.50::numeric, 5::int8, '1e100'::numeric, 0::numeric, '{}'::jsonb"
        )
        .batch(kinds: Array(repeating: .text, count: 6))
        expectEqual(
            (0..<6).map { texts.string($0, 0) },
            [
                "a", "1.5", "5", "1" + String(repeating: "0", count: 100), "0", "{}",
            ]
        )
    }

    @Test("A type that does not fit its kind is an error that names the column")
    func misfits() throws {
        let cases: [(String, ColumnKind)] = [
            ("'x'::varchar", .integer), ("1::int8", .uuid), ("'x'::bytea", .real), ("1.5::numeric", .integer),
            ("'x'::text", .integer),
        ]
        for (expression, kind) in cases {
            let result = try connection.execute("SELECT \(expression) AS title")
            expectEqual(
                postgreSQLError { _ = try result.batch(kinds: [kind]) }?.message.contains("title"),
                true,
                "\(expression)"
            )
        }
        let result = try connection.execute("SELECT 1")
        #expect(postgreSQLError { _ = try result.batch(kinds: [.integer, .integer]) } != nil)
    }

    @Test("COPY stores rows of every type; a failure stores none")
    func copy() throws {
        let table = database.table("t")
        try connection.execute(
            "CREATE TABLE \(table) (a int8, b int4, c int2, d bool, e float8, f text, g bytea, h uuid, i timestamptz, j numeric)"
        )
        let copy = "COPY \(table) FROM STDIN (FORMAT binary)"
        let types: [PostgreSQLType] = [
            .int8, .int4, .int2, .boolean, .float8, .text, .bytea, .uuid, .timestamptz, .numeric,
        ]
        let uuid = UUID()
        let stored = try connection.copyIn(copy) { writer in
            for number in 0..<20_000 {
                if number % 2 == 0 {
                    try writer.row(
                        [
                            .integer(Int64(number)), .integer(2), .integer(3), .integer(1), .real(1.5),
                            .text("é\(number)"),
                            .blob(Data([1, 2])), .typed(.uuid(uuid)), .real(60), .typed(.decimal(2.25)),
                        ],
                        as: types
                    )
                } else {
                    try writer.beginRow(fields: 10)
                    writer.append(Int64(number))
                    writer.append(2 as Int32)
                    writer.append(3 as Int16)
                    writer.append(true)
                    writer.append(1.5)
                    try writer.append("é\(number)")
                    try writer.append(Data([1, 2]))
                    writer.append(uuid)
                    try writer.append(time: 60)
                    writer.appendNull()
                }
            }
        }
        expectEqual(stored, 20_000)
        let check = try connection.execute(
            SQLStatement(
                """
                SELECT count(*) FROM \(table) WHERE b = 2 AND c = 3 AND d AND e = 1.5 AND f = 'é' || a AND g = '\\x0102'
                AND h = $1 AND i = '2001-01-01 00:01Z' AND (j = 2.25) IS NOT FALSE AND (a % 2 = 0) = (j IS NOT NULL)
                """,
                [.typed(.uuid(uuid))]
            )
        )
        try expectEqual(check.integer(0, 0), 20_000)

        struct Stopped: Error {}
        #expect(throws: Stopped.self) {
            try connection.copyIn(copy) { writer in
                try writer.row(Array(repeating: .null, count: 10), as: types)
                throw Stopped()
            }
        }
        let incomplete = postgreSQLError {
            try connection.copyIn(copy) { writer in
                try writer.beginRow(fields: 10)
                writer.appendNull()
            }
        }
        expectEqual(incomplete?.message.contains("9 fields too few"), true)
        try connection.execute("CREATE UNIQUE INDEX ON \(table) (a)")
        let duplicate = postgreSQLError {
            try connection.copyIn("COPY \(table) (a) FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<200_000 {
                    try writer.beginRow(fields: 1)
                    writer.append(Int64(number % 30_000))
                }
            }
        }
        expectEqual(duplicate?.kind, .uniqueValue)
        #expect(postgreSQLError { try connection.copyIn("SELECT 1") { _ in } } != nil)
        expectEqual(postgreSQLError { try connection.copyIn("COPY missing FROM STDIN") { _ in } }?.kind, .missingObject)
        #expect(postgreSQLError { try connection.execute("COPY \(table) FROM STDIN") } != nil)
        #expect(connection.isClosed)
        try expectEqual(database.server.execute("SELECT count(*) FROM \(table)")[0][0], "20000")
    }
}
