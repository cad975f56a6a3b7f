/// What has happened to an object or a section of a results controller; the raw values are Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It has come.
    case insert = 1
    /// It has gone.
    case delete = 2
    /// It has changed in a value that the objects are sorted by, or in its section.
    case move = 3
    /// It has changed in other values.
    case update = 4
}
