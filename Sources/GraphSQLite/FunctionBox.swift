// The closures of an SQL function. SQLite holds the box until the function is replaced or the connection is closed.
import GraphPredicates
import GraphSQL

/// An SQL function implemented by closures.
final class FunctionBox {
    let body: ([SQLValue]) throws -> SQLValue
    let prepare: ((String, SQLValue) throws -> TextMatcher)?
    /// Whether `prepare` is set: checked for each row without reference counting.
    let isTextTest: Bool

    init(_ body: @escaping ([SQLValue]) throws -> SQLValue, _ prepare: ((String, SQLValue) throws -> TextMatcher)?) {
        self.body = body
        self.prepare = prepare
        isTextTest = prepare != nil
    }
}
