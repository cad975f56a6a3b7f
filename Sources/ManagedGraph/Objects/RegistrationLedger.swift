// Which objects of incremental stores a context has begun or ceased to hold. Objects die on any thread, so that it is
// noted here and reported to the stores when the context's turn ends. Costs one look at a flag if no such store exists.
import GraphEngine
import Synchronization

/// Objects to report to incremental stores.
final class RegistrationLedger: Sendable {
    /// Whether the process has an incremental store.
    static let isWanted = Atomic<Bool>(false)

    private struct Entries {
        var begun: [ObjectKey] = []
        var ended: [ObjectKey] = []
    }

    private let entries = Mutex(Entries())

    func begin(_ key: ObjectKey) {
        guard key.store >= 0, key.primaryKey > 0 else { return }
        entries.withLock { $0.begun.append(key) }
    }

    func end(_ key: ObjectKey) {
        guard key.store >= 0, key.primaryKey > 0 else { return }
        entries.withLock { $0.ended.append(key) }
    }

    /// The records since the last call.
    func take() -> (begun: [ObjectKey], ended: [ObjectKey]) {
        let found = entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        return (found.begun, found.ended)
    }
}
