// A relationship, or the values of objects, that a context reads one by one. Made by RowByRowGuard.
import WebSupport

/// The report of objects that are read one by one.
struct RowByRowWarning: Sendable {
    /// The entity whose rows are read, and the relationship; empty for values.
    var entity: String
    var property: String
    /// The entity that was fetched, and the key path from it to the rows.
    var fetched: String
    var path: String
    var context: String
    /// The number of statements so far.
    var count: Int
    /// Their time in microseconds.
    var time: Int

    /// Equal for the same walk over the same objects.
    var key: String { "\(context) \(fetched) \(path) \(entity).\(property)" }

    var message: String {
        let subject = property.isEmpty ? "\(entity) objects" : "\(entity).\(property)"
        return "\(subject) read one by one: \(count) statements in a row"
    }

    var cure: String {
        guard !path.isEmpty else {
            return "Fetch the \(entity) objects together, with a predicate, before they are used; or set "
                + "context.faultingPolicy = .automatic."
        }
        return "On the fetch of \(fetched), set relationshipKeyPathsForPrefetching = [\"\(path)\"]; or set "
            + "context.faultingPolicy = .automatic."
    }

    var pairs: [(String, JSONValue)] {
        [
            ("key", .string(key)), ("message", .string(message)), ("cure", .string(cure)), ("path", .string(path)),
            ("fetched", .string(fetched)), ("context", .string(context)), ("count", .integer(count)),
            ("time", .integer(time)),
        ]
    }
}
