// Managed objects in Swift's own collections, which programs assign to relationships. Without it, a set would be
// converted to Foundation's and back, member by member.

/// A collection of Swift's that may consist of managed objects.
protocol ManagedCollection {
    /// The elements if their type is a class of managed objects; nil for every other type.
    var managedObjects: [NSManagedObject]? { get }
    /// Whether an element may occur several times.
    var mayRepeat: Bool { get }
}

extension Set: ManagedCollection {
    var managedObjects: [NSManagedObject]? {
        guard Element.self is NSManagedObject.Type else { return nil }
        return unsafeBitCast(Array(self), to: [NSManagedObject].self)
    }

    var mayRepeat: Bool { false }
}

extension Array: ManagedCollection {
    var managedObjects: [NSManagedObject]? {
        guard Element.self is NSManagedObject.Type else { return nil }
        return unsafeBitCast(self, to: [NSManagedObject].self)
    }

    var mayRepeat: Bool { true }
}
