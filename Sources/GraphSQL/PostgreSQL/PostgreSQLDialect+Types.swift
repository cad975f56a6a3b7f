// PostgreSQL's types, and values of one type as another. The evaluator defines which values are equal: a number is the
// same in each type, NULL is the result if there is none.
import Foundation
import GraphModel
import GraphPredicates

extension PostgreSQLDialect {
    package var hasStaticTypes: Bool { true }

    package var storesNullCharacters: Bool { false }

    /// A time outside of PostgreSQL's calendar, from 4714 BC to 294276, is near its first or its last.
    package func typed(_ value: TypedValue) -> SQLValue {
        guard case .time(let seconds) = value else { return .typed(value) }
        if seconds.isNaN { return .null }
        return .typed(.time(min(max(seconds, -2e11), 9.2e12)))
    }

    /// The type of values of a kind.
    private static func type(of kind: ValueKind) -> SQLFragment? {
        switch kind {
        case .integer, .decimal: "numeric"
        case .real: "double precision"
        case .boolean: "boolean"
        case .date: "timestamptz"
        case .text, .url: "text"
        case .uuid: "uuid"
        case .data, .transformable: "bytea"
        case .object, .entity: "bigint"
        case .unknown: nil
        }
    }

    static func type(of element: TypedValue.ElementType) -> String {
        switch element {
        case .boolean: "boolean"
        case .integer: "bigint"
        case .real: "double precision"
        case .decimal: "numeric"
        case .time: "timestamptz"
        case .text: "text"
        case .uuid: "uuid"
        case .data: "bytea"
        }
    }

    package func converted(_ value: SQLOperand, to kind: ValueKind) -> SQLOperand? {
        guard value.kind != kind, kind != .unknown else { return value }
        var result = value
        result.kind = kind
        result.isCompound = false
        switch (value.kind, kind) {
        case (.unknown, _):
            guard let type = Self.type(of: kind) else { return value }
            result.sql = cast(value.sql, type)
        case (.boolean, .integer): result.sql = cast(value.sql, "integer")
        case (.boolean, .real): result.sql = cast(cast(value.sql, "integer"), "double precision")
        case (.boolean, .decimal): result.sql = cast(cast(value.sql, "integer"), "numeric")
        case (.integer, .real): result.sql = cast(value.sql, "double precision")
        case (.decimal, .real): result.sql = function("real", value.sql) ?? cast(value.sql, "double precision")
        case (.integer, .decimal): result.sql = cast(value.sql, "numeric")
        case (.real, .decimal):
            guard let sql = function("decimal", value.sql) else { return nil }
            result.sql = sql
        case (.date, .real):
            result.sql = "CAST(EXTRACT(EPOCH FROM \(value.sql)) - 978307200 AS double precision)"
        case (.integer, .date), (.decimal, .date), (.real, .date), (.boolean, .date):
            guard let seconds = converted(value, to: .real), let sql = function("time", seconds.sql) else { return nil }
            result.sql = sql
            result.isNullable = true
        case (.text, .url), (.url, .text), (.data, .transformable), (.transformable, .data), (.object, .object):
            return SQLOperand(
                sql: value.sql,
                kind: kind,
                isNullable: value.isNullable,
                isCompound: value.isCompound
            )
        default: return nil
        }
        return result
    }

    func cast(_ value: SQLFragment, _ type: SQLFragment) -> SQLFragment { "CAST(\(value) AS \(type))" }

    package func comparable(
        _ left: SQLOperand,
        _ right: SQLOperand,
        isOrdering: Bool
    ) -> (left: SQLOperand, right: SQLOperand) {
        var (left, right) = (left, right)
        if isOrdering, left.kind == .text || left.kind == .url {
            // Texts have the order of their bytes in every database.
            right.sql = "\(right.atom) COLLATE \"C\""
            right.isCompound = false
            return (left, right)
        }
        guard left.kind != right.kind, left.kind.isNumber, right.kind.isNumber else { return (left, right) }
        if left.kind == .boolean { left = converted(left, to: .integer) ?? left }
        if right.kind == .boolean { right = converted(right, to: .integer) ?? right }
        switch (left.kind, right.kind) {
        case (.integer, .real): right.sql = exact(right)
        case (.real, .integer): left.sql = exact(left)
        case (.decimal, .real): right = converted(right, to: .decimal) ?? right
        case (.real, .decimal): left = converted(left, to: .decimal) ?? left
        default: break
        }
        return (left, right)
    }

    /// A real number as a numeric one of the same value.
    private func exact(_ value: SQLOperand) -> SQLFragment { function("exact", value.sql) ?? value.atom }

    // MARK: Lists

    package var spreadsShortLists: Bool { false }

    package func list(_ values: [SQLValue], of storage: StorageClass) -> SQLValue {
        .typed(.list(values, Self.elements(of: storage)))
    }

    private static func elements(of storage: StorageClass) -> TypedValue.ElementType {
        switch storage {
        case .number, .real: .real
        case .boolean: .boolean
        case .integer, .object, .entity: .integer
        case .decimal: .decimal
        case .date: .time
        case .text: .text
        case .uuid: .uuid
        case .data: .data
        }
    }

    package func isMember(_ value: SQLFragment, of list: SQLFragment, _ elements: ListElements) -> SQLFragment {
        "\(value) = ANY(\(list))"
    }

    package func rows(
        of list: SQLFragment,
        _ elements: ListElements,
        alias: SQLFragment?
    ) -> (source: SQLFragment, element: SQLFragment) {
        let alias = alias ?? "elements"
        let type = SQLFragment(text: Self.type(of: Self.elements(of: elements.storage)))
        return ("unnest(CAST(\(list) AS \(type)[])) AS \(alias)(value)", "\(alias).value")
    }

    package func memberOfList(column: String) -> String { "\(column) = ANY(?)" }

    package func notMemberOfList(column: String) -> String { "\(column) <> ALL(?)" }
}
