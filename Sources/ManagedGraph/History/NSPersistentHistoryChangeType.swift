import Foundation

/// The kind of a change; raw values are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// It was updated.
    case update = 1
    /// It was deleted.
    case delete = 2
}
