// The broadcasters of all live content of one application, for messages that concern every browser. Thread-safe; holds
// them weakly.
import Synchronization

final class Watchers: Sendable {
    private struct Entry: Sendable {
        weak var broadcaster: Broadcaster?
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ broadcaster: Broadcaster) {
        entries.withLock { entries in
            entries.removeAll { $0.broadcaster == nil }
            entries.append(Entry(broadcaster: broadcaster))
        }
    }

    /// Sends the state of a job.
    func send(_ data: String) {
        for entry in entries.withLock({ $0 }) { entry.broadcaster?.send(.job, data: data) }
    }
}
