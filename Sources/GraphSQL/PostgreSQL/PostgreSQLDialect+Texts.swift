// Comparisons of texts in PostgreSQL. Case and accents are folded by functions that an index can serve; patterns are
// converted when they are bound.
import Foundation
import GraphPredicates

extension PostgreSQLDialect {
    package func folded(_ text: SQLFragment, _ options: ComparisonOptions) -> SQLFragment? {
        switch options {
        case .folding: function("fold", text)
        case .caseInsensitive: function("fold_case", text)
        case .diacriticInsensitive: function("fold_accents", text)
        default: nil
        }
    }

    package func convertsPatterns(of comparison: TextComparison) -> Bool {
        comparison == .like || comparison == .matches
    }

    package func pattern(_ text: String, of comparison: TextComparison, _ options: ComparisonOptions) -> SQLValue? {
        switch comparison {
        case .like: .text(LikePattern.text(of: text))
        case .matches: AdvancedExpression.text(of: text, options).map(SQLValue.text)
        default: .text(text)
        }
    }

    package func pattern(_ text: SQLFragment, of comparison: TextComparison) -> SQLFragment? {
        comparison == .like ? function("pattern", text) : nil
    }

    package func compare(
        _ comparison: TextComparison,
        _ subject: SQLFragment,
        _ pattern: SQLFragment,
        _ options: ComparisonOptions
    ) -> SQLFragment? {
        // Without the functions that fold texts, and for the order of a language.
        if options.contains(.diacriticInsensitive) || options.contains(.caseInsensitive) && comparison != .matches {
            return nil
        }
        return switch comparison {
        // No text contains the empty text.
        case .contains: "(strpos(\(subject), \(pattern)) > 0 AND \(pattern) <> '')"
        case .beginsWith: "(starts_with(\(subject), \(pattern)) AND \(pattern) <> '')"
        case .endsWith: "(right(\(subject), length(\(pattern))) = \(pattern) AND \(pattern) <> '')"
        case .like: function("like", subject, pattern)
        case .matches: "(\(subject) COLLATE \"C\" ~ \(pattern))"
        case .equal, .order: nil
        }
    }

    package func collation(_ order: TextSort) -> String? { nil }

    package func ordered(_ value: SQLOperand) -> SQLOperand {
        guard collatesTexts, value.kind == .text || value.kind == .url else { return value }
        var value = value
        value.sql = "\(value.atom) COLLATE \"C\""
        value.isCompound = true
        return value
    }
}

extension SQLDialect {
    /// A function of a column of texts, for derived attributes; nil if the database lacks it.
    package func call(_ function: DialectFunction, onTextColumn column: String) -> String? {
        call(function, [SQLOperand(sql: SQLFragment(text: column), kind: .text, isNullable: true)])?.text
    }
}
