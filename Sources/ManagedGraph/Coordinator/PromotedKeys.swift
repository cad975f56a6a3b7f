// The permanent keys of objects whose temporary keys other contexts use. Written by a root context's save, read by its
// child contexts on their own queues. Empty if no context has children. The newest are kept for identifiers that
// programs hold; older ones are dropped once every child has registered its objects under their permanent keys.
import GraphEngine
import Synchronization

/// Temporary keys of saved objects with their permanent ones.
final class PromotedKeys: Sendable {
    private struct Keys {
        var permanent: [Int64: ObjectKey] = [:]
        var temporary: [ObjectKey: Int64] = [:]
        /// The temporary keys in the order in which they were recorded.
        var noted: ContiguousArray<Int64> = []
        /// The number of keys that were recorded before the first of these.
        var dropped = 0
        /// The number of recorded keys at which the children have to catch up next.
        var nextCall = 0

        var serial: Int { dropped + noted.count }
    }

    /// The number of keys that are always kept.
    private let limit: Int

    init(kept limit: Int = 16_384) { self.limit = limit }

    private let keys = Mutex(Keys())
    private let isUsed = Atomic<Bool>(false)
    /// The contexts that read from others, which may refer to objects by temporary keys.
    let children = ContextList()

    /// Records the permanent key of a temporary one; O(1).
    func note(temporary: Int64, permanent: ObjectKey) {
        keys.withLock {
            $0.permanent[temporary] = permanent
            $0.temporary[permanent] = temporary
            $0.noted.append(temporary)
        }
        isUsed.store(true, ordering: .releasing)
    }

    /// The key that an object has now; O(1).
    func current(_ key: ObjectKey) -> ObjectKey {
        guard key.isTemporary, isUsed.load(ordering: .acquiring) else { return key }
        return keys.withLock { $0.permanent[key.primaryKey] } ?? key
    }

    /// The temporary key that a permanent one replaced; O(1).
    func former(_ key: ObjectKey) -> ObjectKey? {
        guard !key.isTemporary, isUsed.load(ordering: .acquiring) else { return nil }
        guard let primaryKey = keys.withLock({ $0.temporary[key] }) else { return nil }
        return ObjectKey(entity: key.entity, store: -1, primaryKey: primaryKey)
    }

    /// The number of mapped keys; for tests.
    var count: Int { keys.withLock { $0.permanent.count } }

    /// The number of keys that were mapped so far.
    var serial: Int { keys.withLock { $0.serial } }

    /// Drops keys that no child needs, and occasionally has the children catch up; called after a save has noted some.
    ///
    /// O(1) amortized.
    func dropOld() {
        guard isUsed.load(ordering: .acquiring) else { return }
        let isDue = keys.withLock { keys in
            guard keys.noted.count > 2 * limit, keys.serial >= keys.nextCall else { return false }
            keys.nextCall = keys.serial + limit
            return true
        }
        guard isDue else { return }
        let contexts = children.contexts(except: nil)
        // Keys that the slowest context has not yet taken over stay.
        let slowestSerial = contexts.map { $0.caughtUp.load(ordering: .relaxed) }.min() ?? .max
        keys.withLock { keys in
            let count = min(slowestSerial - keys.dropped, keys.noted.count - limit)
            guard count > 0 else { return }
            for temporary in keys.noted.prefix(count) {
                if let permanent = keys.permanent.removeValue(forKey: temporary) { keys.temporary[permanent] = nil }
            }
            keys.noted.removeFirst(count)
            keys.dropped += count
        }
        for context in contexts { context.catchUpSoon(with: self) }
    }
}

extension NSPersistentStoreCoordinator {
    /// The temporary key that a permanent one replaced; O(1).
    final func formerKey(of key: ObjectKey) -> ObjectKey? { promotedKeys.former(key) }
}
