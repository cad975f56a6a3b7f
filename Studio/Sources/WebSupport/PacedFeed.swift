// Events of a running program as messages for open pages. It observes only while a page is open; a grace period keeps the
// observation while a browser goes from one page to the next. Threads of all operations record; messages are made by a task, a
// few times a second at most, once for all pages.
import Synchronization

/// A stream of events that are printed for pages, some at a time.
public final class PacedFeed<Entry: Sendable>: Sendable {
    /// Ends an observation.
    public typealias Ending = @Sendable () -> Void

    /// The interval between two messages.
    static var interval: Duration { .milliseconds(150) }
    /// The interval after a message with many entries: no reader follows hundreds a second, and printing them would slow down
    /// the program that is watched.
    static var busyInterval: Duration { .seconds(1) }
    /// The number of entries that are many.
    static var busyCount: Int { 20 }
    /// The maximum number of entries per message; older ones are counted only.
    static var messageLimit: Int { 60 }
    /// The number of entries kept for pages that are opened next.
    static var historyLimit: Int { 150 }
    /// The number of waiting messages per page; a slower page shows a gap.
    static var queueLimit: Int { 16 }
    /// The time for which the observation continues without a page.
    static var grace: Duration { .seconds(4) }

    /// An entry with its number, as JSON.
    private struct Printed {
        let number: Int
        let json: JSONValue
    }

    private struct State {
        var ending: Ending?
        var pending: [Entry] = []
        var isDraining = false
        /// The number of the next entry.
        var next = 1
        var history: [Printed] = []
        var subscribers: [Int: AsyncStream<String>.Continuation] = [:]
        var nextSubscriber = 0
        /// Counts the uses, so that a timer ends the observation only if there was none since.
        var uses = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether operations record; read by each operation, without the lock.
    private let isOn = Atomic<Bool>(false)
    private let begin: @Sendable (PacedFeed) -> Ending
    private let digest: @Sendable ([Entry]) -> [Entry]
    private let print: @Sendable (Entry) -> JSONValue
    private let figures: @Sendable () -> JSONValue
    private let ended: @Sendable () -> Void

    /// Creates a feed that observes nothing yet.
    ///
    /// - Parameters:
    ///   - begin: Begins to observe; events are passed to `record`. Returns a function that ends the observation.
    ///   - digest: Returns the entries to print of those recorded since the last message; called by one task at a time.
    ///   - print: Returns an entry as JSON.
    ///   - figures: Returns the current figures, which each message contains.
    ///   - ended: Called when the observation has ended.
    public init(
        begin: @escaping @Sendable (PacedFeed) -> Ending,
        digest: @escaping @Sendable ([Entry]) -> [Entry] = { $0 },
        print: @escaping @Sendable (Entry) -> JSONValue,
        figures: @escaping @Sendable () -> JSONValue,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.begin = begin
        self.digest = digest
        self.print = print
        self.figures = figures
        self.ended = ended
    }

    /// Whether the feed observes now.
    public var isObserved: Bool { isOn.load(ordering: .relaxed) }

    // MARK: Recording

    /// Adds an entry; without an observation it is dropped.
    ///
    /// - Parameter entry: The entry.
    public func record(_ entry: Entry) {
        let mustDrain = state.withLock { state in
            guard state.ending != nil else { return false }
            state.pending.append(entry)
            if state.isDraining { return false }
            state.isDraining = true
            return true
        }
        if mustDrain { Task { await drain() } }
    }

    // MARK: Observation

    /// Begins to observe if nothing does, and continues for the grace period at least.
    public func touch() {
        let uses = state.withLock { state -> Int in
            guard !state.isClosed else { return 0 }
            if state.ending == nil {
                state.ending = begin(self)
                isOn.store(true, ordering: .relaxed)
            }
            state.uses += 1
            return state.uses
        }
        endLater(uses)
    }

    private func endLater(_ uses: Int) {
        Task { [weak self] in
            try? await Task.sleep(for: Self.grace)
            self?.end(uses)
        }
    }

    /// Ends the observation, unless there is a page or has been a use since.
    private func end(_ uses: Int) {
        let ending = state.withLock { state -> Ending? in
            guard state.uses == uses, state.subscribers.isEmpty else { return nil }
            let ending = state.ending
            state.ending = nil
            state.pending = []
            state.history = []
            isOn.store(false, ordering: .relaxed)
            return ending
        }
        guard let ending else { return }
        ending()
        ended()
    }

    // MARK: Pages

    /// Returns the messages from now on, preceded by one with the history; an empty text is a heartbeat.
    ///
    /// - Returns: JSON with the keys `next`, the number of the next entry, `figures`, and `entries`, pairs of number and entry.
    public func subscribe() -> AsyncStream<String> {
        touch()
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingNewest(Self.queueLimit)
        )
        let figures = figures()
        state.withLock { state in
            guard !state.isClosed else { return continuation.finish() }
            // The stream has no consumer yet, so yielding here resumes no task under the lock.
            continuation.yield(Self.message(state.history, next: state.next, figures))
            let number = state.nextSubscriber
            state.nextSubscriber += 1
            state.subscribers[number] = continuation
            continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
        }
        return stream
    }

    private func unsubscribe(_ number: Int) {
        let uses = state.withLock { state -> Int in
            state.subscribers[number] = nil
            state.uses += 1
            return state.uses
        }
        endLater(uses)
    }

    /// Writes to all pages, so that those of disconnected browsers end.
    public func beat() { send("") }

    /// Sends the current figures to all pages.
    public func sendFigures() {
        let (hasReaders, next) = state.withLock { (!$0.subscribers.isEmpty, $0.next) }
        if hasReaders { send(Self.message([], next: next, figures())) }
    }

    private func send(_ message: String) {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield(message) }
    }

    /// Ends all pages' streams.
    public func close() {
        let subscribers = state.withLock { state in
            state.isClosed = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    // MARK: Messages

    private func drain() async {
        var interval = Self.interval
        while true {
            try? await Task.sleep(for: interval)
            guard let count = deliver() else { return }
            interval = count < Self.busyCount ? Self.interval : Self.busyInterval
        }
    }

    /// Sends the pending entries; returns their number, nil if there were none.
    private func deliver() -> Int? {
        let recorded = state.withLock { state -> [Entry]? in
            guard !state.pending.isEmpty else {
                state.isDraining = false
                return nil
            }
            defer { state.pending = [] }
            return state.pending
        }
        guard let recorded else { return nil }
        let entries = digest(recorded)
        let shown = entries.suffix(Self.messageLimit)
        let first = state.withLock { state -> Int in
            let first = state.next + entries.count - shown.count
            state.next += entries.count
            return first
        }
        let printed = zip(first..., shown).map { Printed(number: $0, json: print($1)) }
        let message = Self.message(printed, next: first + printed.count, figures())
        let subscribers = state.withLock { state in
            state.history.append(contentsOf: printed)
            state.history.removeFirst(max(0, state.history.count - Self.historyLimit))
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield(message) }
        return recorded.count
    }

    private static func message(_ entries: [Printed], next: Int, _ figures: JSONValue) -> String {
        JSONValue.object([
            ("next", .integer(next)), ("figures", figures),
            ("entries", .array(entries.map { .array([.integer($0.number), $0.json]) })),
        ]).text
    }
}
