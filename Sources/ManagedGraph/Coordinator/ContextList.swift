// Contexts that are notified of changes, held weakly. Owned by coordinators and by contexts with children; used from
// any thread.
import GraphEngine
import Synchronization

/// A list of contexts that does not keep them alive.
final class ContextList: Sendable {
    private struct Entry: Sendable {
        let handle: Handle
        var context: NSManagedObjectContext? { handle.object(as: NSManagedObjectContext.self) }
    }

    private let entries = Mutex<[Entry]>([])

    /// Adds a context that is not in the list yet; O(contexts).
    func add(_ context: NSManagedObjectContext) {
        entries.withLock { entries in
            entries.removeAll { $0.handle === context.handle || $0.context == nil }
            entries.append(Entry(handle: context.handle))
        }
    }

    /// Removes a context; O(contexts).
    func remove(_ context: NSManagedObjectContext) {
        entries.withLock { entries in entries.removeAll { $0.handle === context.handle || $0.context == nil } }
    }

    /// The living contexts but one.
    func contexts(except origin: NSManagedObjectContext?) -> [NSManagedObjectContext] {
        entries.withLock { entries in entries.compactMap(\.context) }.filter { $0 !== origin }
    }
}
