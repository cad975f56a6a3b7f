// A number's new form as SQL: the expression over the former column, and the rows that have no such form. Called by
// MigrationPlanner. The columns of one file format hold integers, binary numbers and, for decimals, either.
import GraphModel

extension NumberConversion {
    /// The expression that gives the new value; nil if the value stays as it is.
    ///
    /// - Parameters:
    ///   - column: The column as it is to appear.
    ///   - dialect: The spelling.
    /// - Returns: The expression; nil if the database assigns the value to a column of the new type.
    package func expression(_ column: String, _ dialect: any SQLDialect) -> String? {
        guard dialect.hasStaticTypes else { return expression(column) }
        let (old, new) = (ValueKind(source), ValueKind(destination))
        switch destination {
        case .integer16, .integer32, .integer64:
            return source.wholeNumbers != nil
                ? nil : source == .boolean ? "CAST(\(column) AS integer)" : "trunc(\(column))"
        case .boolean: return "(\(column) <> 0)"
        default:
            let value = SQLOperand(sql: SQLFragment(text: column), kind: old, isNullable: true)
            return old == new ? nil : dialect.converted(value, to: new)?.sql.text
        }
    }

    /// The same in a file, whose columns have no types.
    private func expression(_ column: String) -> String? {
        switch destination {
        case .integer16, .integer32, .integer64:
            // Numbers with a fraction lose it, as they do if an integer is read from them.
            source == .boolean || source.wholeNumbers != nil ? nil : "CAST(\(column) AS INTEGER)"
        case .boolean: "(\(column) <> 0)"
        case .double: source == .float ? nil : "CAST(\(column) AS REAL)"
        case .float: "\(MigrationPlan.nearestFloatFunction)(\(column))"
        case .decimal: column
        default: nil
        }
    }

    /// The condition on rows whose value the new type cannot hold; nil if it holds all.
    func overflow(_ column: String) -> String? {
        if let range = destination.wholeNumbers {
            if source == .boolean { return nil }
            if let former = source.wholeNumbers {
                if range.contains(former.lowerBound), range.contains(former.upperBound) { return nil }
                return "\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
            }
            // Whole numbers of 64 bits are compared exactly; a fraction beyond the ends is cut off.
            if destination == .integer64 {
                return "NOT (\(column) >= -9223372036854775808.0 AND \(column) < 9223372036854775808.0)"
            }
            return "NOT (\(column) > \(range.lowerBound - 1) AND \(column) < \(range.upperBound + 1))"
        }
        switch (source, destination) {
        // A value that rounds to more than the greatest Float; infinity is a value of both.
        case (.double, .float), (.decimal, .float):
            return "abs(\(column)) >= 3.4028235677973366e38 AND abs(\(column)) <= 1.7976931348623157e308"
        // A decimal has no infinity, and no more than 128 digits before the point.
        case (.double, .decimal), (.float, .decimal): return "abs(\(column)) >= 1e128"
        default: return nil
        }
    }

    /// The sentence about those rows.
    var overflowReason: String {
        "the store has values outside the range of \(destination.title). Change them first, or migrate with "
            + "a mapping model or a custom stage"
    }
}
