// Keeps prepared patterns: a statement calls a function with one pattern for very many rows. Used by SQLFunctions.
import Synchronization

/// Prepared values by their keys, for any thread, bounded.
final class PatternCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let kept = Mutex<[Key: Value]>([:])
    private let capacity = 200
    private let make: @Sendable (Key) -> Value

    init(_ make: @escaping @Sendable (Key) -> Value) {
        self.make = make
    }

    func value(for key: Key) -> Value {
        if let known = kept.withLock({ $0[key] }) { return known }
        let made = make(key)
        kept.withLock { kept in
            if kept.count >= capacity { kept.removeAll() }
            kept[key] = made
        }
        return made
    }
}
