// The methods that Xcode generates for a to-many relationship. Called by ClassWriter (with bodies) and XcodeFiles (as
// managed declarations).

/// A method for a to-many relationship.
struct ToManyAccessor {
    /// The name and parameters, after `func`.
    var signature: String
    /// The call that implements the method, with the property as `%`.
    var body: String
    /// The Objective-C selector.
    var selector: String
    var summary: String

    /// The methods of a relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - element: The class of its objects.
    ///   - isOrdered: Whether it is ordered.
    ///   - set: `NSSet` or `NSOrderedSet`, qualified with the module if necessary.
    ///   - indexSet: `NSIndexSet`, qualified with the module if necessary.
    /// - Returns: Four methods, or ten for an ordered relationship.
    static func all(
        name: String,
        element: String,
        isOrdered: Bool,
        set: String,
        indexSet: String
    ) -> [ToManyAccessor] {
        let key = SwiftName.capitalized(name)
        let common = [
            ToManyAccessor(
                signature: "addTo\(key)(_ value: \(element))",
                body: "addToManaged(value, for: %)",
                selector: "add\(key)Object:",
                summary: "Adds an object to `\(name)`."
            ),
            ToManyAccessor(
                signature: "removeFrom\(key)(_ value: \(element))",
                body: "removeFromManaged(value, for: %)",
                selector: "remove\(key)Object:",
                summary: "Removes an object from `\(name)`."
            ),
            ToManyAccessor(
                signature: "addTo\(key)(_ values: \(set))",
                body: "addToManaged(values, for: %)",
                selector: "add\(key):",
                summary: "Adds objects to `\(name)`."
            ),
            ToManyAccessor(
                signature: "removeFrom\(key)(_ values: \(set))",
                body: "removeFromManaged(values, for: %)",
                selector: "remove\(key):",
                summary: "Removes objects from `\(name)`."
            ),
        ]
        return isOrdered ? ordered(name: name, key: key, element: element, indexSet: indexSet) + common : common
    }

    private static func ordered(name: String, key: String, element: String, indexSet: String) -> [ToManyAccessor] {
        [
            ToManyAccessor(
                signature: "insertInto\(key)(_ value: \(element), at idx: Int)",
                body: "insertIntoManaged(value, at: idx, for: %)",
                selector: "insertObject:in\(key)AtIndex:",
                summary: "Inserts an object into `\(name)`."
            ),
            ToManyAccessor(
                signature: "removeFrom\(key)(at idx: Int)",
                body: "removeFromManaged(at: idx, for: %)",
                selector: "removeObjectFrom\(key)AtIndex:",
                summary: "Removes the object at a place of `\(name)`."
            ),
            ToManyAccessor(
                signature: "insertInto\(key)(_ values: [\(element)], at indexes: \(indexSet))",
                body: "insertIntoManaged(values, at: indexes, for: %)",
                selector: "insert\(key):atIndexes:",
                summary: "Inserts objects into `\(name)`."
            ),
            ToManyAccessor(
                signature: "removeFrom\(key)(at indexes: \(indexSet))",
                body: "removeFromManaged(at: indexes, for: %)",
                selector: "remove\(key)AtIndexes:",
                summary: "Removes the objects at some places of `\(name)`."
            ),
            ToManyAccessor(
                signature: "replace\(key)(at idx: Int, with value: \(element))",
                body: "replaceManaged(at: idx, with: value, for: %)",
                selector: "replaceObjectIn\(key)AtIndex:withObject:",
                summary: "Replaces the object at a place of `\(name)`."
            ),
            ToManyAccessor(
                signature: "replace\(key)(at indexes: \(indexSet), with values: [\(element)])",
                body: "replaceManaged(at: indexes, with: values, for: %)",
                selector: "replace\(key)AtIndexes:with\(key):",
                summary: "Replaces the objects at some places of `\(name)`."
            ),
        ]
    }
}
