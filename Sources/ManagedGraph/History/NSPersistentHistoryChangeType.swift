// The kinds of changes in the persistent history.
import Foundation
import GraphEngine
import GraphPredicates

/// The kind of a change; raw values are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// It was updated.
    case update = 1
    /// It was deleted.
    case delete = 2
}
