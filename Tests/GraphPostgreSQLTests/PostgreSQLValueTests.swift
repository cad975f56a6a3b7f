import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import PostgreSQLSupport
import TestSupport
import Testing

@Suite(.server)
struct PostgreSQLValueTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private func echo(_ value: SQLValue, _ expression: String = "$1") throws -> PostgreSQLResult {
        try database.connection.execute(SQLStatement("SELECT \(expression)", [value]))
    }

    @Test("Integers, reals, texts and data come back as they were sent, and the server reads the same value")
    func plainValues() throws {
        for number in [0, 1, -1, .max, .min] as [Int64] {
            try expectEqual(echo(.integer(number)).integer(0, 0), number)
            try expectEqual(echo(.integer(number), "$1::text").string(0, 0), "\(number)")
        }
        for number in [0, -0.0, 1.5, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            try expectEqual(echo(.real(number)).real(0, 0)?.bitPattern, number.bitPattern)
        }
        try expectEqual(echo(.real(.nan)).real(0, 0)?.isNaN, true)
        for text in ["", "a", "é€😀", String(repeating: "x", count: 100_000), "'; DROP TABLE x; --"] {
            try expectEqual(echo(.text(text)).string(0, 0), text)
            try expectEqual(echo(.text(text), "length($1)").integer(0, 0), Int64(text.unicodeScalars.count))
        }
        for data in [Data(), Data([0, 255, 1]), Data(repeating: 7, count: 1 << 20)] {
            try expectEqual(echo(.blob(data)).data(0, 0), data)
            try expectEqual(echo(.blob(data), "length($1)").integer(0, 0), Int64(data.count))
        }
    }

    @Test("Booleans, times, UUIDs and decimals come back as they were sent, and the server reads the same value")
    func typedValues() throws {
        for value in [true, false] {
            try expectEqual(echo(.typed(.boolean(value))).boolean(0, 0), value)
        }
        let uuid = UUID()
        try expectEqual(echo(.typed(.uuid(uuid))).uuid(0, 0), uuid)
        try expectEqual(echo(.typed(.uuid(uuid)), "$1::text").string(0, 0), uuid.uuidString.lowercased())
        try expectEqual(echo(.typed(.time(0)), "$1 = '2001-01-01 00:00:00Z'").boolean(0, 0), true)
        try expectEqual(echo(.typed(.time(-0.000_001)), "$1 = '2000-12-31 23:59:59.999999Z'").boolean(0, 0), true)
        try expectEqual(
            echo(.typed(.time(123_456_789.123_456_4)), "$1 = '2004-11-29 21:33:09.123456Z'").boolean(0, 0),
            true
        )
        for number in [
            "0", "1", "-1", "0.1", "-0.001", "10000", "100000000", "12345678.000012", "1e30", "-1e-30",
            "99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001", "9999.9999",
        ] {
            let decimal = try #require(Decimal(string: number))
            let result = try echo(.typed(.decimal(decimal)))
            try expectEqual(result.decimal(0, 0), decimal)
            try expectEqual(result.string(0, 0), decimal.description)
            try expectEqual(echo(.typed(.decimal(decimal)), "$1 = \(decimal)").boolean(0, 0), true)
        }
    }

    @Test("Infinite decimals, which only other programs can write, are NaN as decimals and infinite as real numbers")
    func infiniteDecimals() throws {
        let result = try database.connection.execute("SELECT 'Infinity'::numeric, '-Infinity'::numeric")
        for (column, real) in [Double.infinity, -.infinity].enumerated() {
            try expectEqual(result.decimal(column, 0), Decimal.nan)
            try expectEqual(result.value(column, 0), .decimal(.nan))
            try expectEqual(result.string(column, 0), "NaN")
            try expectEqual(result.real(column, 0), real)
            try expectEqual(result.batch(kinds: [.text, .text]).string(column, 0), "NaN")
            let list = SQLValue.typed(.list([.real(real)], .decimal))
            expectEqual(postgreSQLError { _ = try echo(list) }?.message.contains("out of the range"), true)
        }
    }

    @Test("Real numbers that are not decimals are NaN as decimals")
    func realsAsDecimals() throws {
        let result = try database.connection.execute(
            "SELECT 'Infinity'::float8, '-Infinity'::float8, 'NaN'::float8, 1e300::float8"
        )
        for column in 0..<4 { try expectEqual(result.decimal(column, 0), Decimal.nan) }
        try expectEqual(database.connection.execute("SELECT 0.1::float8").decimal(0, 0), Decimal(string: "0.1"))
        try expectEqual(database.connection.execute("SELECT 1e-300::float8").decimal(0, 0), 0)
    }

    @Test("Random decimals agree with the server's text, and their doubles with the nearest")
    func randomDecimals() throws {
        var numbers = SeededNumbers(seed: 21)
        var texts: [String] = []
        for _ in 0..<2_000 {
            let digits = (0..<Int.random(in: 1...38, using: &numbers)).map { _ in
                "\(Int.random(in: 0...9, using: &numbers))"
            }
            let exponent = Int.random(in: -40...20, using: &numbers)
            texts.append("\(Bool.random(using: &numbers) ? "-" : "")\(digits.joined())e\(exponent)")
        }
        let list = SQLValue.typed(.list(texts.map { .text($0) }, .text))
        let result = try database.connection.execute(
            SQLStatement(
                "SELECT t::numeric, trim_scale(t::numeric)::text FROM unnest($1) WITH ORDINALITY AS u(t, n) ORDER BY n",
                [list]
            )
        )
        expectEqual(result.count, texts.count)
        for row in 0..<result.count {
            let text = try #require(try result.string(1, row))
            try expectEqual(result.string(0, row), text)
            try expectEqual(result.real(0, row), Double(text))
        }
    }

    @Test("Random times come back within half a microsecond, and unchanged if they are whole microseconds")
    func randomTimes() throws {
        var numbers = SeededNumbers(seed: 22)
        let times = (0..<2_000).map { _ in
            Double(Int64.random(in: -4_000_000_000_000_000...4_000_000_000_000_000, using: &numbers)) / 1_000_000
        }
        let list = SQLValue.typed(.list(times.map { .typed(.time($0)) }, .time))
        let result = try database.connection.execute(
            SQLStatement("SELECT t FROM unnest($1) WITH ORDINALITY AS u(t, n) ORDER BY n", [list])
        )
        for (row, time) in times.enumerated() { try expectEqual(result.real(0, row), time) }
    }

    @Test("Lists with NULLs come back as they were sent")
    func lists() throws {
        let uuid = UUID()
        let lists: [(TypedValue, [RowValue])] = [
            (.list([], .integer), []),
            (.list([.integer(1), .null, .integer(-2)], .integer), [.integer(1), .null, .integer(-2)]),
            (.list([.real(1.5), .null], .real), [.real(1.5), .null]),
            (.list([.text("a,{}\""), .text(""), .null], .text), [.string("a,{}\""), .string(""), .null]),
            (.list([.blob(Data([1])), .blob(Data())], .data), [.data(Data([1])), .data(Data())]),
            (.list([.typed(.uuid(uuid)), .null], .uuid), [.uuid(uuid), .null]),
            (.list([.typed(.boolean(true)), .typed(.boolean(false))], .boolean), [.integer(1), .integer(0)]),
            (.list([.typed(.decimal(1.5)), .integer(2)], .decimal), [.decimal(1.5), .decimal(2)]),
            (.list([.typed(.time(5)), .real(6.5)], .time), [.real(5), .real(6.5)]),
        ]
        for (list, values) in lists {
            try expectEqual(echo(.typed(list)).list(0, 0), values)
            try expectEqual(echo(.typed(list), "cardinality($1)").integer(0, 0), Int64(values.count))
        }
    }

    @Test("A value that the database cannot store is an error that names it, and changes nothing")
    func invalidValues() throws {
        for (value, text) in [
            (.text("a\0b"), "U+0000"), (.typed(.time(.infinity)), "out of the range"), (.typed(.time(.nan)), "nan"),
            (.typed(.time(1e13)), "timestamptz"), (.typed(.list([.text("x")], .integer)), "cannot be sent as bigint"),
        ] as [(SQLValue, String)] {
            let error = try #require(
                postgreSQLError {
                    _ = try database.connection.pipeline {
                        $0.add("CREATE TABLE \(database.table("t")) (a int)")
                        $0.add("SELECT $1", [value])
                    }
                }
            )
            #expect(error.kind == .invalidValue || error.kind == .missingObject)
            #expect(error.message.contains(text))
            expectEqual(error.index, 1)
        }
        try expectEqual(
            database.connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = '\(database.schema)'").count,
            0
        )
    }

    @Test("Cells are read by the types of their columns")
    func columnTypes() throws {
        let result = try database.connection.execute(
            """
            SELECT 1::int2, 2::int4, 3::int8, true, 1.5::float4, 2.5::float8, 'a'::varchar, 'b'::text, 'c'::char(2),
                '2001-01-02'::date, '2001-01-01 00:00:01'::timestamp, '{"a": 1}'::jsonb, 'NaN'::numeric, NULL, 7::oid,
                1e20::numeric
            """
        )
        let values = try (0..<result.columnCount).map { try result.value($0, 0) }
        expectEqual(values[0..<6], [.integer(1), .integer(2), .integer(3), .integer(1), .real(1.5), .real(2.5)])
        expectEqual(values[6..<9], [.string("a"), .string("b"), .string("c ")])
        expectEqual(values[9..<12], [.real(86_400), .real(1), .string(#"{"a": 1}"#)])
        expectEqual(values[12], .decimal(.nan))
        expectEqual(values[13...], [.null, .integer(7), .decimal(Decimal(string: "1e20")!)])
        expectEqual(postgreSQLError { _ = try result.integer(6, 0) }?.message.contains("varchar"), true)
    }
}
