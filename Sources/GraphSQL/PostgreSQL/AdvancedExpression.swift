// Regular expressions of the predicate language, which are ICU's, as PostgreSQL's advanced ones, if every text that the
// one matches as a whole the other matches too.
import GraphPredicates

enum AdvancedExpression {
    /// The expression that matches the same whole texts; nil if it is not known.
    static func text(of pattern: String, _ options: ComparisonOptions) -> String? {
        nil
    }
}
