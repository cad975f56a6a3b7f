// The protocols that make objects readable for predicates and sort descriptors. Adopted by managed objects and by any
// type of an app; called by the evaluator and the sort descriptors.

/// An object whose values can be read by name, so that predicates and sort descriptors apply to it.
public protocol KeyValueReadable {
    /// The value of a property.
    ///
    /// - Parameter key: One key, never a path.
    /// - Returns: The value; nil if it is not set. To-many properties return an array or a set.
    func value(forKey key: String) -> Any?
}
