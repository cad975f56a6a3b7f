// What an object must offer so that predicates and sort descriptors can read it. Adopted by managed objects and by
// any type of a user; called by the evaluator and the sort descriptors.

/// An object whose values can be read by name, so that predicates and sort descriptors apply to it.
public protocol KeyValueReadable {
    /// The value of a property.
    ///
    /// - Parameter key: one key, never a path.
    /// - Returns: the value; nil if it is not set. To-many properties give an array or a set.
    func value(forKey key: String) -> Any?
}

/// A readable object that can list its keys, which `ANYKEY` needs.
package protocol KeyEnumerable {
    var readableKeys: [String] { get }
}

/// An object that predicates compare by an identity it shares with others: a managed object and its ID.
package protocol IdentityComparable {
    var comparableIdentity: AnyHashable { get }
}

/// The context of a `FETCH(request, context, countOnly)` expression.
package protocol FetchEvaluating {
    func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any?
}
