// Distributes a live table's events to event streams. The context's queue publishes, and the server's tasks subscribe;
// the lock is held only briefly. Memory is bounded: each subscriber has a short queue that drops the oldest events, and
// the gap in the versions makes the stream send a refresh.
import Synchronization

final class Broadcaster: Sendable {
    /// The number of pending events per subscriber; a slower subscriber receives a refresh.
    static let queueLimit = 64
    /// The number of events kept for browsers that reconnect.
    static let historyLimit = 64

    private struct State {
        var version = 0
        var history: [LiveEvent] = []
        var subscribers: [Int: AsyncStream<LiveEvent>.Continuation] = [:]
        var nextSubscriber = 0
        var isClosed = false
    }

    /// Distinguishes this table's versions from those of an earlier table at the same address.
    let token: String
    private let state = Mutex(State())

    init() {
        token = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    var version: Int { state.withLock { $0.version } }
    var versionText: String { "\(token).\(version)" }
    var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Sends an event whose data is built from the versions before and after it.
    func publish(_ kind: LiveEvent.Kind, data make: (_ from: Int, _ to: Int) -> String) {
        // Only the context's queue publishes, so the version cannot change between the two locks.
        let from = version
        let data = make(from, from + 1)
        let event = LiveEvent(kind: kind, from: from, to: from + 1, data: data)
        let subscribers = state.withLock { state in
            state.version = event.to
            state.history.append(event)
            if state.history.count > Self.historyLimit { state.history.removeFirst() }
            return Array(state.subscribers.values)
        }
        send(event, to: subscribers)
    }

    /// Must be called outside of the lock: resuming a task takes its lock, under which a cancelled task takes ours.
    private func send(_ event: LiveEvent, to subscribers: [AsyncStream<LiveEvent>.Continuation]) {
        for subscriber in subscribers { subscriber.yield(event) }
    }

    /// Returns the events since a version, written `token.number` as in pages and events.
    func subscribe(since: String) -> AsyncStream<LiveEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LiveEvent.self,
            bufferingPolicy: .bufferingNewest(Self.queueLimit)
        )
        state.withLock { state in
            guard !state.isClosed else { return continuation.finish() }
            let version = since.hasPrefix(token + ".") ? Int(since.dropFirst(token.count + 1)) : nil
            // The stream has no consumer yet, so yielding here resumes no task under the lock.
            if let version, version >= 0, version <= state.version, state.version - version <= state.history.count {
                for event in state.history where event.from >= version { continuation.yield(event) }
            } else {
                continuation.yield(Self.refresh(at: state.version))
            }
            let number = state.nextSubscriber
            state.nextSubscriber += 1
            state.subscribers[number] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
            }
        }
        return stream
    }

    /// Sends a message that changes no rows; it has no version and is not kept.
    func send(_ kind: LiveEvent.Kind, data: String) {
        let (version, subscribers) = state.withLock { ($0.version, Array($0.subscribers.values)) }
        send(LiveEvent(kind: kind, from: version, to: version, data: data), to: subscribers)
    }

    /// Writes to all streams, so that those of disconnected browsers end.
    func beat() {
        let (version, subscribers) = state.withLock { ($0.version, Array($0.subscribers.values)) }
        send(LiveEvent(kind: .beat, from: version, to: version, data: ""), to: subscribers)
    }

    /// Ends all streams.
    func close() {
        let subscribers = state.withLock { state in
            state.isClosed = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    static func refresh(at version: Int) -> LiveEvent {
        LiveEvent(kind: .refresh, from: version, to: version, data: #"{"to":\#(version)}"#)
    }
}
