// The contexts of a coordinator, held weakly, for diagnosis. Owned by coordinators; used from any thread.
import GraphEngine
import Synchronization

/// A list that takes new contexts in constant time.
final class AttachedContexts: Sendable {
    private struct Entry: Sendable {
        let handle: Handle
        var context: NSManagedObjectContext? { handle.object(as: NSManagedObjectContext.self) }
    }

    private struct State {
        var entries: [Entry] = []
        /// The number of entries at which those of deallocated contexts are dropped.
        var limit = 16
    }

    private let state = Mutex(State())

    /// Adds a context; O(1) on average.
    func add(_ context: NSManagedObjectContext) {
        state.withLock { state in
            if state.entries.count >= state.limit {
                state.entries.removeAll { $0.context == nil }
                state.limit = max(16, 2 * state.entries.count)
            }
            state.entries.append(Entry(handle: context.handle))
        }
    }

    /// The living contexts that fit, each once.
    func contexts(where fits: (NSManagedObjectContext) -> Bool) -> [NSManagedObjectContext] {
        var seen: Set<ObjectIdentifier> = []
        return state.withLock { $0.entries.compactMap(\.context) }
            .filter { seen.insert(ObjectIdentifier($0)).inserted && fits($0) }
    }
}
