// The default spellings of a dialect: standard SQL if it has one, PostgreSQL's otherwise.
import Foundation
import GraphModel
import GraphPredicates

extension SQLDialect {
    package func identifier(_ name: String) -> String {
        name.quotedName
    }

    package var naming: any SchemaNaming { AppleNaming() }

    package func table(_ name: String) -> String { identifier(name) }

    package func large(_ column: SQLFragment) -> SQLFragment { column }

    package func truth(_ value: Bool) -> SQLFragment { value ? "TRUE" : "FALSE" }

    package func indexed(_ column: String, isAscending: Bool) -> String {
        "\(identifier(column)) \(isAscending ? "ASC" : "DESC")"
    }

    package func derivationTriggers(_ model: Model, _ schema: StoreSchema) -> [String] { [] }

    package func equals(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        "\(left) IS NOT DISTINCT FROM \(right)"
    }

    package func differs(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        "\(left) IS DISTINCT FROM \(right)"
    }

    package func coalesce(_ value: SQLFragment, _ fallback: SQLFragment) -> SQLFragment {
        "COALESCE(\(value), \(fallback))"
    }

    package var hasStaticTypes: Bool { false }

    package var storesNullCharacters: Bool { true }

    package func typed(_ value: TypedValue) -> SQLValue { value.plain }

    package func converted(_ value: SQLOperand, to kind: ValueKind) -> SQLOperand? {
        var value = value
        value.kind = kind
        return value
    }

    package func comparable(
        _ left: SQLOperand,
        _ right: SQLOperand,
        isOrdering: Bool
    ) -> (left: SQLOperand, right: SQLOperand) { (left, right) }

    package func complement(_ value: SQLOperand) -> SQLFragment? { "~\(value.atom)" }

    package func withoutIndex(_ value: SQLFragment) -> SQLFragment { value }

    package func call(_ function: DialectFunction, _ arguments: [SQLOperand]) -> SQLFragment? { nil }

    package func folded(_ text: SQLFragment, _ options: ComparisonOptions) -> SQLFragment? { nil }

    package func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ options: ComparisonOptions
    ) -> SQLFragment? { nil }

    package func convertsPatterns(of comparison: TextComparison) -> Bool { false }

    package func pattern(_ text: String, of comparison: TextComparison, _ options: ComparisonOptions) -> SQLValue? {
        .text(text)
    }

    package func pattern(_ text: SQLFragment, of comparison: TextComparison) -> SQLFragment? { text }

    package func statistic(_ statistic: DialectStatistic, of value: SQLOperand, isDistinct: Bool) -> SQLFragment? {
        nil
    }

    package func collation(_ order: TextSort) -> String? { nil }

    package func ordered(_ value: SQLOperand) -> SQLOperand { value }

    package var sortsNullFirst: Bool { false }

    /// A key of an order, in which NULL is the least value.
    package func sortKey(
        _ value: SQLFragment,
        collation: SQLFragment?,
        isAscending: Bool,
        isNullable: Bool
    ) -> SQLFragment {
        let direction: SQLFragment = isAscending ? "" : " DESC"
        let nulls: SQLFragment = isNullable && !sortsNullFirst ? (isAscending ? " NULLS FIRST" : " NULLS LAST") : ""
        return collation.map { "\(value) COLLATE \($0)\(direction)\(nulls)" } ?? "\(value)\(direction)\(nulls)"
    }

    package func page(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment {
        let limited: SQLFragment = limit.map { " LIMIT \($0)" } ?? ""
        return offset.map { "\(limited) OFFSET \($0)" } ?? limited
    }

    package func row(at place: SQLFragment) -> SQLFragment {
        " LIMIT CASE WHEN \(place) >= 0 THEN 1 ELSE 0 END OFFSET GREATEST(\(place), 0)"
    }

    package func derivedTable(_ select: SQLFragment) -> SQLFragment { "(\(select)) AS part" }

    package var rowIdentifier: String { "ctid" }

    package func upsert(into table: String, columns: [String], key: [String]) -> String {
        let assignments = columns.filter { !key.contains($0) }.map { "\(identifier($0)) = EXCLUDED.\(identifier($0))" }
        let action = assignments.isEmpty ? "DO NOTHING" : "DO UPDATE SET \(assignments.joined(separator: ", "))"
        return insert(into: table, columns: columns) + " ON CONFLICT (\(identifiers(key))) \(action)"
    }

    package func insertIfAbsent(into table: String, columns: [String], values: [SQLValue]) -> String {
        let values = values.map(literal).joined(separator: ", ")
        return "INSERT INTO \(self.table(table))(\(identifiers(columns))) VALUES(\(values)) ON CONFLICT DO NOTHING"
    }
}
