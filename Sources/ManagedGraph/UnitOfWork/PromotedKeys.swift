// Which permanent key an object got whose temporary key other contexts know. Written by a root context's save, read by
// its child contexts on their own queues. Empty where no context has children.
import Synchronization

/// Temporary keys of saved objects with their permanent ones.
final class PromotedKeys: Sendable {
    private struct Keys {
        var permanent: [Int64: ObjectKey] = [:]
        var temporary: [ObjectKey: Int64] = [:]
    }

    private let keys = Mutex(Keys())
    private let isUsed = Atomic<Bool>(false)

    /// Notes what a temporary key has become; O(1).
    func note(temporary: Int64, permanent: ObjectKey) {
        keys.withLock {
            $0.permanent[temporary] = permanent
            $0.temporary[permanent] = temporary
        }
        isUsed.store(true, ordering: .releasing)
    }

    /// The key that stands for an object now; O(1).
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
}
