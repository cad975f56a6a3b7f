// A second dialect, which proves that GraphSQL leaves every spelling to the dialect. It writes PostgreSQL, never run.
import GraphModel
import GraphPredicates
import GraphSQL

struct OtherDialect: SQLDialect {
    var name: String { "PostgreSQL" }
    var marks: ParameterMarks { .numbered(prefix: "$") }
    var valueAfterAllTexts: SQLValue { .text("\u{10FFFF}\u{10FFFF}") }
    var spreadsShortLists: Bool { false }

    func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "'\(number)'::double precision"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .typed(let value): literal(value.plain)
        case .blob(let data): "'\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'::bytea"
        }
    }

    func columnType(_ use: ColumnUse) -> String {
        switch use {
        case .attribute(.boolean), .attribute(.integer16): "smallint"
        case .attribute(.integer32): "integer"
        case .attribute(.integer64), .key, .number: "bigint"
        case .attribute(.double), .attribute(.float), .attribute(.date), .time: "double precision"
        case .attribute(.decimal): "numeric"
        case .attribute(.string), .attribute(.uri), .text, .storeIdentifier: "text COLLATE \"C\""
        case .attribute, .data: "bytea"
        case .primaryKey: "bigint PRIMARY KEY"
        }
    }

    func call(_ function: DialectFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
        switch function {
        case .key: nil
        case .power: "power(\(arguments.joined(", ")))"
        case .squareRoot: "sqrt(\(arguments.joined(", ")))"
        case .absolute: "abs(\(arguments.joined(", ")))"
        case .random: "random()"
        case .uppercase: "mg_upper(\(arguments.joined(", ")))"
        case .length: "mg_length(\(arguments.joined(", ")))"
        case .byteCount: "octet_length(\(arguments.joined(", ")))"
        case .text: "CAST(\(arguments.joined(", ")) AS text)"
        default: "mg_function(\(arguments.joined(", ")))"
        }
    }

    func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ options: ComparisonOptions
    ) -> SQLFragment? {
        let folds: SQLFragment = "\(number: Int64(options.rawValue))"
        return switch comparison {
        case .contains: "mg_contains(\(subject), \(pattern), \(folds))"
        case .beginsWith: "mg_starts(\(subject), \(pattern), \(folds))"
        case .endsWith: "mg_ends(\(subject), \(pattern), \(folds))"
        case .like: "mg_like(\(subject), \(pattern), \(folds))"
        case .matches: nil
        case .equal: "mg_equal(\(subject), \(pattern), \(folds))"
        case .order: "mg_order(\(subject), \(pattern), \(folds))"
        }
    }

    func statistic(_ statistic: DialectStatistic, of value: SQLFragment, isDistinct: Bool) -> SQLFragment? {
        switch statistic {
        case .median where isDistinct: nil
        case .median: "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(value))"
        case .deviation: isDistinct ? "stddev_pop(DISTINCT \(value))" : "stddev_pop(\(value))"
        }
    }

    func list(_ values: [SQLValue], of storage: StorageClass) -> SQLValue {
        let elements = values.map { value in
            switch value {
            case .null, .typed: "NULL"
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text): "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            case .blob(let data): "\"\\\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
            }
        }
        return .text("{" + elements.joined(separator: ",") + "}")
    }

    private func array(_ list: SQLFragment, _ elements: ListElements) -> SQLFragment {
        switch elements.storage {
        case .number: elements.hasReals ? "\(list)::double precision[]" : "\(list)::bigint[]"
        case .date: "\(list)::double precision[]"
        case .text: "\(list)::text[]"
        case .uuid, .data: "\(list)::bytea[]"
        case .object, .entity: "\(list)::bigint[]"
        }
    }

    func isMember(_ value: SQLFragment, of list: SQLFragment, _ elements: ListElements) -> SQLFragment {
        "\(value) = ANY(\(array(list, elements)))"
    }

    func rows(
        of list: SQLFragment,
        _ elements: ListElements,
        alias: SQLFragment?
    ) -> (source: SQLFragment, element: SQLFragment) {
        let alias = alias ?? "elements"
        return ("unnest(\(array(list, elements))) AS \(alias)(value)", "\(alias).value")
    }

    func memberOfList(column: String) -> String { "\(column) = ANY(?)" }

    func notMemberOfList(column: String) -> String { "\(column) <> ALL(?)" }

    func collation(_ order: TextSort) -> String? {
        switch order {
        case .localized: "und-x-icu"
        case .plain, .caseInsensitive, .localizedCaseInsensitive, .localizedStandard: nil
        }
    }
}
