// The protocols that make objects readable for predicates and sort descriptors. Adopted by managed objects and by any
// type of an app; called by the evaluator and the sort descriptors.

/// An object whose values can be read by name, so that predicates and sort descriptors apply to it.
public protocol KeyValueReadable {
    /// The value of a property.
    ///
    /// - Parameter key: one key, never a path.
    /// - Returns: the value; nil if it is not set. To-many properties return an array or a set.
    func value(forKey key: String) -> Any?
}

/// A readable object that can list its keys, which `ANYKEY` requires.
package protocol KeyEnumerable {
    var readableKeys: [String] { get }
}

/// An object that predicates compare by a shared identity: a managed object and its ID.
package protocol IdentityComparable {
    var comparableIdentity: AnyHashable { get }
}

/// The context of a `FETCH(request, context, countOnly)` expression.
package protocol FetchEvaluating {
    func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any?
}
