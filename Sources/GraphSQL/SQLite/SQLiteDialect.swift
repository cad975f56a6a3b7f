// SQLite's spelling of SQL, in Apple's wording if Apple's stores have one. Functions and collations that SQLite lacks
// are in the folder Functions; an engine registers them on each connection.
import Foundation
import GraphModel
import GraphPredicates

/// The dialect of SQLite.
package struct SQLiteDialect: SQLDialect {
    package init() {}

    package var name: String { "SQLite" }
    package var marks: ParameterMarks { .unnumbered }
    /// An empty blob: blobs come after all texts.
    package var valueAfterAllTexts: SQLValue { .blob(Data()) }

    package func identifier(_ name: String) -> String { name.sqliteName }

    package func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): number.isFinite ? "\(number)" : number.isNaN ? "NULL" : number > 0 ? "9e999" : "-9e999"
        case .text(let text): "'" + text.doubling("'") + "'"
        case .typed(let value): literal(value.plain)
        case .blob(let data): "x'" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }

    package func truth(_ value: Bool) -> SQLFragment { value ? "1" : "0" }

    // MARK: Tables

    package func columnType(_ use: ColumnUse) -> String {
        switch use {
        case .attribute(let type): Self.columnType(type)
        case .primaryKey: "INTEGER PRIMARY KEY"
        case .key, .number: "INTEGER"
        case .text: "VARCHAR"
        case .storeIdentifier: "VARCHAR(255)"
        case .time: "FLOAT"
        case .data: "BLOB"
        }
    }

    private static func columnType(_ type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "FLOAT"
        case .date: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .transformable, .binary, .undefined, .objectID, .composite: "BLOB"
        }
    }

    package func indexed(_ column: String, isAscending: Bool) -> String {
        "\(identifier(column)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
    }

    package func derivationTriggers(_ model: Model, _ schema: StoreSchema) -> [String] {
        DerivationTriggers.statements(model, schema)
    }

    // MARK: Expressions

    package func converted(_ value: SQLOperand, to kind: ValueKind) -> SQLOperand? {
        var result = value
        result.kind = kind
        if value.kind == .date, kind == .real {
            // Whole seconds are kept as an integer: a division of them must not become one of integers.
            result.sql = Self.real(value)
            result.isCompound = false
        }
        return result
    }

    package func equals(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS \(right)" }

    package func differs(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS NOT \(right)" }

    package func coalesce(_ value: SQLFragment, _ fallback: SQLFragment) -> SQLFragment {
        "IFNULL(\(value), \(fallback))"
    }

    package func arithmetic(_ operation: ArithmeticOperation, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand? {
        if operation.isOfBits {
            let (left, right) = (Self.whole(left), Self.whole(right))
            return SQLOperand(
                sql: "\(left.atom)\(literal: operation.sign)\(right.atom)",
                kind: .integer,
                isNullable: left.isNullable || right.isNullable,
                isCompound: true
            )
        }
        let kinds = [left.kind, right.kind]
        let isDecimal = kinds.contains(.decimal)
        // A decimal without a fraction is kept as an integer, as is a sum or a product of such decimals: a division of
        // them must not become one of integers.
        let dividend = operation == .divide && isDecimal ? Self.real(left) : left.atom
        return SQLOperand(
            sql: "\(dividend)\(literal: operation.sign)\(right.atom)",
            kind: kinds.contains(.real) ? .real : isDecimal ? .decimal : .integer,
            isNullable: operation == .divide || left.isNullable || right.isNullable,
            isCompound: true
        )
    }

    package func complement(_ value: SQLOperand) -> SQLFragment? { "~\(Self.whole(value).atom)" }

    /// An operand of an operation on bits: NULL if it does not fit into 64 bits.
    ///
    /// SQLite would take the nearest integer instead.
    private static func whole(_ value: SQLOperand) -> SQLOperand {
        guard value.kind == .real || value.kind == .decimal else { return value }
        let number = value.atom
        let fits: SQLFragment = "\(number) >= -9223372036854775808.0 AND \(number) < 9223372036854775808.0"
        return SQLOperand(
            sql: "CASE WHEN \(fits) THEN \(number) END",
            kind: value.kind,
            isNullable: true,
            isCompound: true
        )
    }

    private static func real(_ value: SQLOperand) -> SQLFragment { "CAST(\(value.sql) AS REAL)" }

    /// A unary plus keeps the value and hides the column from the choice of indexes.
    package func withoutIndex(_ value: SQLFragment) -> SQLFragment { "+\(value)" }

    package func call(_ function: DialectFunction, _ arguments: [SQLOperand]) -> SQLFragment? {
        let values: [SQLFragment] =
            switch function {
            // Their results for decimals are real numbers, also for a decimal that is kept as an integer.
            case .modulus, .power, .floor, .ceiling, .truncate:
                arguments.map { $0.kind == .decimal ? Self.real($0) : $0.sql }
            default: arguments.map(\.sql)
            }
        return "\(literal: Self.name(of: function))(\(values.joined(", ")))"
    }

    package func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ options: ComparisonOptions
    ) -> SQLFragment? {
        "\(literal: Self.name(of: comparison))(\(subject), \(pattern), \(number: Int64(options.rawValue)))"
    }

    /// SQLite's own sum fails if integers exceed 64 bits.
    package func aggregate(_ aggregate: DialectAggregate, of value: SQLOperand, isDistinct: Bool) -> SQLFragment {
        let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
        return switch aggregate {
        case .sum where value.kind != .real || value.isMixed:
            "\(literal: Self.sumFunction)(\(distinct)\(value.sql))"
        case .sum: "SUM(\(distinct)\(value.sql))"
        case .average: "AVG(\(distinct)\(value.sql))"
        case .minimum: "MIN(\(value.sql))"
        case .maximum: "MAX(\(value.sql))"
        }
    }

    /// The values of all rows reach the function as one text, exact to the last bit.
    package func statistic(_ statistic: DialectStatistic, of value: SQLOperand, isDistinct: Bool) -> SQLFragment? {
        let value = value.sql
        let distinct: SQLFragment = isDistinct ? "DISTINCT " : ""
        let values: SQLFragment = "CASE WHEN \(value) IS NOT NULL THEN PRINTF('%!.17g', \(value)) END"
        return "\(literal: Self.name(of: statistic))(GROUP_CONCAT(\(distinct)\(values)))"
    }

    // MARK: Lists

    /// Few elements have marks of their own, which an index serves without a table of the list.
    package var spreadsShortLists: Bool { true }

    package func list(_ values: [SQLValue], of storage: StorageClass) -> SQLValue {
        .text(JSONList.text(values, storage))
    }

    package func isMember(_ value: SQLFragment, of list: SQLFragment, _ elements: ListElements) -> SQLFragment {
        let rows = rows(of: list, elements, alias: nil)
        return "\(value) IN (SELECT \(rows.element) FROM \(rows.source))"
    }

    package func rows(
        of list: SQLFragment,
        _ elements: ListElements,
        alias: SQLFragment?
    ) -> (source: SQLFragment, element: SQLFragment) {
        (
            alias.map { "json_each(\(list)) \($0)" } ?? "json_each(\(list))",
            JSONList.reader(elements, alias.map { "\($0).value" } ?? "value")
        )
    }

    package func memberOfList(column: String) -> String { "\(column) IN (SELECT value FROM json_each(?))" }

    package func notMemberOfList(column: String) -> String { "\(column) NOT IN (SELECT value FROM json_each(?))" }

    // MARK: Order and pages

    package func collation(_ order: TextSort) -> String? { SQLCollations.name(of: order) }

    package var sortsNullFirst: Bool { true }

    /// SQLite has no OFFSET without a LIMIT; a negative one is none.
    package func page(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment {
        guard let offset else { return limit.map { " LIMIT \($0)" } ?? "" }
        return " LIMIT \(limit ?? .bind(.fixed(.integer(-1)))) OFFSET \(offset)"
    }

    /// SQLite takes a negative offset for none: before the first element there is nothing.
    package func row(at place: SQLFragment) -> SQLFragment { " LIMIT (\(place) >= 0) OFFSET \(place)" }

    package func derivedTable(_ select: SQLFragment) -> SQLFragment { "(\(select))" }

    // MARK: Statements

    package var rowIdentifier: String { "rowid" }

    package func upsert(into table: String, columns: [String], key: [String]) -> String {
        let marks = ParameterMarks.list(columns.count)
        return "INSERT OR REPLACE INTO \(identifier(table))(\(identifiers(columns))) VALUES(\(marks))"
    }

    package func insertIfAbsent(into table: String, columns: [String], values: [SQLValue]) -> String {
        let values = values.map(literal).joined(separator: ", ")
        return "INSERT OR IGNORE INTO \(identifier(table))(\(identifiers(columns))) VALUES(\(values))"
    }
}

extension SQLDialect where Self == SQLiteDialect {
    /// The dialect of SQLite.
    package static var sqlite: SQLiteDialect { SQLiteDialect() }
}
