/// The kind of change of an object or a section of a results controller; the raw values are Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It was inserted.
    case insert = 1
    /// It was deleted.
    case delete = 2
    /// Its section or a value that the objects are sorted by has changed.
    case move = 3
    /// Other values of it have changed.
    case update = 4
}
