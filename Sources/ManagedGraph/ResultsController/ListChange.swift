/// The change of an object before its effect on the list is determined.
struct ListEdit {
    /// The effect of the change on the values that the object is sorted by.
    enum Keys: Comparable {
        case unchanged
        case unknown
        case changed
    }

    var object: NSManagedObject
    /// Whether the object belongs in the list now.
    var belongs: Bool
    var keys: Keys
}
