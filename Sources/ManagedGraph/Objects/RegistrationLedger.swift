// The objects of incremental stores that a context has registered or unregistered. Objects die on any thread, so they
// are recorded here and reported to the stores when the context's turn ends. Kept only if the coordinator has such a
// store, which costs the check of one flag.
import GraphEngine
import Synchronization

/// Objects to report to incremental stores.
final class RegistrationLedger: Sendable {
    private let recording = ObservationSwitch()

    /// Whether the context's coordinator has an incremental store, so that registrations are recorded.
    var isOn: Bool {
        @inline(__always) get { recording.isOn }
        set { recording.isOn = newValue }
    }

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
        let previous = entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        return (previous.begun, previous.ended)
    }
}
