// Hands a live table's events to the event streams. Published to from the context's queue, subscribed to from the
// server's tasks; the lock is held for moments only. Memory is bounded: each subscriber has a short queue that drops
// the oldest, and the gap in the versions tells the stream to ask its browser to read the window again.
import Synchronization

final class Broadcaster: Sendable {
    /// How many events a slow subscriber may lag behind before it is told to refresh.
    static let queueLimit = 64
    /// How many events are kept for browsers that reconnect.
    static let historyLimit = 64

    private struct State {
        var version = 0
        var history: [LiveEvent] = []
        var subscribers: [Int: AsyncStream<LiveEvent>.Continuation] = [:]
        var nextSubscriber = 0
        var isClosed = false
    }

    /// Tells this table's versions from those of an earlier one at the same address.
    let token: String
    private let state = Mutex(State())

    init() {
        token = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    var version: Int { state.withLock { $0.version } }
    var versionText: String { "\(token).\(version)" }
    var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Sends an event whose data `make` makes from the versions before and after.
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

    /// Outside of the lock: waking a task takes the task's own lock, under which a cancelled one takes ours.
    private func send(_ event: LiveEvent, to subscribers: [AsyncStream<LiveEvent>.Continuation]) {
        for subscriber in subscribers { subscriber.yield(event) }
    }

    /// Events from a version on, which is `token.number` as a page or an event had it.
    func subscribe(since: String) -> AsyncStream<LiveEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LiveEvent.self,
            bufferingPolicy: .bufferingNewest(Self.queueLimit)
        )
        state.withLock { state in
            guard !state.isClosed else { return continuation.finish() }
            let known = since.hasPrefix(token + ".") ? Int(since.dropFirst(token.count + 1)) : nil
            // Nobody waits for this stream yet, so nobody is woken here.
            if let known, known <= state.version, state.version - known <= state.history.count {
                for event in state.history where event.from >= known { continuation.yield(event) }
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

    /// Sends what is no change of the rows: it has no version, and is not kept.
    func tell(_ kind: LiveEvent.Kind, data: String) {
        let (version, subscribers) = state.withLock { ($0.version, Array($0.subscribers.values)) }
        send(LiveEvent(kind: kind, from: version, to: version, data: data), to: subscribers)
    }

    /// Writes to all streams, so that those whose browser has vanished end.
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
