// Contexts that are notified of changes, held weakly. Owned by coordinators and by contexts with children; used from
// any thread.
import Synchronization

/// A list of contexts that does not keep them alive.
final class ContextList: Sendable {
    private struct Entry: Sendable {
        weak var context: NSManagedObjectContext?
    }

    private let entries = Mutex<[Entry]>([])

    /// Adds a context that is not in the list yet; O(contexts).
    func add(_ context: NSManagedObjectContext) {
        entries.withLock { entries in
            entries.removeAll { $0.context == nil || $0.context === context }
            entries.append(Entry(context: context))
        }
    }

    /// Takes a context out; O(contexts).
    func remove(_ context: NSManagedObjectContext) {
        entries.withLock { entries in entries.removeAll { $0.context == nil || $0.context === context } }
    }

    /// The living contexts but one.
    func contexts(except origin: NSManagedObjectContext?) -> [NSManagedObjectContext] {
        entries.withLock { entries in entries.compactMap(\.context) }.filter { $0 !== origin }
    }
}
