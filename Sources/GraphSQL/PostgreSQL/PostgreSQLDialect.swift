// PostgreSQL's spelling of SQL: names, values, tables and statements. Types, expressions and texts are in the files
// beside; the functions that PostgreSQL lacks are in PostgreSQLFunctions, and a store's schema has them.
import Foundation
import GraphModel
import GraphPredicates

/// The dialect of PostgreSQL 13 and later, for a database in UTF-8.
package struct PostgreSQLDialect: SQLDialect {
    /// The schema of the store's tables and functions; nil for the one that the connection finds first.
    package let schema: String?
    /// Whether the database has the functions of `PostgreSQLFunctions`; fetches that need them are judged in memory
    /// without.
    package let hasFunctions: Bool

    /// Whether columns of texts may have another order than that of their bytes.
    package let collatesTexts: Bool

    package init(schema: String? = nil, hasFunctions: Bool = true, collatesTexts: Bool = false) {
        self.schema = schema
        self.hasFunctions = hasFunctions
        self.collatesTexts = collatesTexts
    }

    package var name: String { "PostgreSQL" }
    package var marks: ParameterMarks { .numbered(prefix: "$") }
    /// No text contains the greatest scalar twice, because Unicode assigns no character to it.
    package var valueAfterAllTexts: SQLValue { .text("\u{10FFFF}\u{10FFFF}") }

    package var naming: any SchemaNaming { ModelNaming() }

    package func table(_ name: String) -> String { prefix + identifier(name) }

    /// The schema before a name.
    private var prefix: String { schema.map { identifier($0) + "." } ?? "" }

    /// A call of a function of the store's schema, as an atom.
    func function(_ name: StaticString, _ arguments: SQLFragment...) -> SQLFragment? {
        guard hasFunctions else { return nil }
        return "\(SQLFragment(text: prefix + identifier(PostgreSQLFunctions.prefix + name.description)))"
            + "(\(arguments.joined(", ")))"
    }

    package func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "'\(Self.text(of: number))'::double precision"
        case .text(let text): Self.quoted(text)
        case .blob(let data): "'\\x\(Self.hexadecimal(data))'::bytea"
        case .typed(let value): literal(value)
        }
    }

    private func literal(_ value: TypedValue) -> String {
        switch value {
        case .boolean(let value): value ? "TRUE" : "FALSE"
        case .decimal(let value): "\(value.isNaN ? "'NaN'" : value.description)::numeric"
        case .time(let value):
            "(timestamptz '2001-01-01 00:00:00+00' + '\(Self.microseconds(value)) microseconds'::interval)"
        case .uuid(let value): "'\(value.uuidString)'::uuid"
        case .list(let values, let type):
            "ARRAY[\(values.map(literal).joined(separator: ", "))]::\(Self.type(of: type))[]"
        }
    }

    /// A number of microseconds; one that the server rejects if it is not finite or exceeds 64 bits.
    private static func microseconds(_ seconds: Double) -> String {
        let count = (seconds * 1e6).rounded()
        return Int64(exactly: count).map { "\($0)" } ?? "\(count)"
    }

    private static func text(of number: Double) -> String {
        number.isFinite ? "\(number)" : number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity"
    }

    /// A text as a literal, whatever the connection's setting for backslashes is.
    static func quoted(_ text: String) -> String {
        let quoted = "'" + text.doubling("'").doubling("\\") + "'"
        return text.unicodeScalars.contains("\\") ? "E" + quoted : quoted
    }

    private static func hexadecimal(_ data: Data) -> String {
        data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Tables

    package func columnType(_ use: ColumnUse) -> String {
        switch use {
        case .attribute(let type): Self.columnType(type)
        case .primaryKey: "bigint PRIMARY KEY"
        case .key: "bigint"
        case .number: "bigint"
        case .text, .storeIdentifier: "text COLLATE \"C\""
        case .time: "timestamptz"
        case .data: "bytea"
        }
    }

    private static func columnType(_ type: AttributeType) -> String {
        switch type {
        case .integer16: "smallint"
        case .integer32: "integer"
        case .integer64: "bigint"
        case .boolean: "boolean"
        case .double: "double precision"
        case .float: "real"
        case .decimal: "numeric"
        case .date: "timestamptz"
        case .string, .uri: "text COLLATE \"C\""
        case .uuid: "uuid"
        case .binary, .transformable, .undefined, .objectID, .composite: "bytea"
        }
    }

    package func large(_ column: SQLFragment) -> SQLFragment { "'\\x01'::bytea || \(column)" }

    package func indexed(_ column: String, isAscending: Bool) -> String {
        "\(identifier(column)) \(isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")"
    }
}
