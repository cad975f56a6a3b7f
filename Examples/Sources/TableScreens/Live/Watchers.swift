// The broadcasters of all that browsers of one application look at, for what concerns every one of them. Used from any
// thread; does not keep them.
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

    /// Sends word of a job.
    func tell(_ data: String) {
        for entry in entries.withLock({ $0 }) { entry.broadcaster?.tell(.job, data: data) }
    }
}
