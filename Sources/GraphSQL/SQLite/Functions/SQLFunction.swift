// A function that translated SQL calls by name. SQLFunctions lists all of them.
import GraphPredicates

/// A function that SQLite calls by name, with its arguments as SQL values.
package struct SQLFunction: Sendable {
    package let name: String
    package let argumentCount: Int
    /// Whether equal arguments always give equal results, so that SQLite may compute it once.
    package let isDeterministic: Bool
    package let body: @Sendable ([SQLValue]) throws -> SQLValue
    /// For a comparison of two texts: the second one prepared, which the same statement then asks for each row.
    package var prepare: (@Sendable (_ pattern: String, _ options: SQLValue) throws -> TextMatcher)?

    init(
        _ name: StaticString,
        _ argumentCount: Int,
        isDeterministic: Bool = true,
        _ body: @escaping @Sendable ([SQLValue]) throws -> SQLValue
    ) {
        self.name = name.description
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.body = body
    }
}
