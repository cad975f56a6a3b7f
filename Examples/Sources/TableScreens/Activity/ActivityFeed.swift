// The activity beneath one application's store, as messages for open panels. It observes the coordinator only while a
// panel is open; a grace period keeps the observation while a browser goes from one page to the next. Threads of all
// operations record; messages are made by a task, a few times a second at most, once for all panels.
import CoreData
import Synchronization
import WebSupport

final class ActivityFeed: Sendable {
    /// The interval between two messages.
    static let interval = Duration.milliseconds(150)
    /// The interval after a message with many entries: no reader follows hundreds a second, and printing them would slow down
    /// the application that is watched.
    static let busyInterval = Duration.seconds(1)
    /// The number of entries that are many.
    static let busyCount = 20
    /// The maximum number of entries per message; older ones are counted only.
    static let messageLimit = 60
    /// The number of entries kept for pages that are opened next.
    static let historyLimit = 150
    /// The number of waiting messages per panel; a slower panel shows a gap.
    static let queueLimit = 16
    /// The time for which the observation continues without a panel.
    static let grace = Duration.seconds(4)

    /// An entry with its number, as JSON.
    private struct Printed {
        let number: Int
        let json: JSONValue
    }

    private struct State {
        var observation: ActivityObservation?
        var pending: [ActivityEntry] = []
        var isDraining = false
        /// The number of the next entry.
        var next = 1
        var history: [Printed] = []
        var subscribers: [Int: AsyncStream<String>.Continuation] = [:]
        var nextSubscriber = 0
        /// Counts the uses, so that a timer ends the observation only if there was none since.
        var uses = 0
        var isClosed = false
        var registered = 0
    }

    private let state = Mutex(State())
    /// Whether operations record; read by each operation, without the lock.
    private let isOn = Atomic<Bool>(false)
    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    /// Distinguishes the entries' numbers from those of an earlier run of the server.
    private let token = String(UInt64.random(in: .min ... .max), radix: 36)
    /// Called when the observation has ended.
    private let ended: @Sendable () -> Void

    init(
        _ coordinator: NSPersistentStoreCoordinator,
        _ context: NSManagedObjectContext,
        ended: @escaping @Sendable () -> Void
    ) {
        self.coordinator = coordinator
        self.context = context
        self.ended = ended
    }

    var isObserved: Bool { isOn.load(ordering: .relaxed) }

    // MARK: Recording

    func record(_ entry: ActivityEntry) {
        guard !entry.isInspection else { return }
        let mustDrain = state.withLock { state in
            guard state.observation != nil else { return false }
            state.pending.append(entry)
            if state.isDraining { return false }
            state.isDraining = true
            return true
        }
        if mustDrain { Task { await drain() } }
    }

    /// Notes the number of objects in the application's context; called on its queue.
    func noteRegistered() {
        guard isObserved else { return }
        let count = context.registeredObjectCount
        state.withLock { $0.registered = count }
    }

    // MARK: Observation

    /// Begins to observe if nothing does, and continues for the grace period at least.
    func touch() {
        let uses = state.withLock { state -> Int in
            guard !state.isClosed else { return 0 }
            if state.observation == nil {
                state.observation = coordinator.observeActivity { [weak self] in self?.record(.activity($0)) }
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

    /// Ends the observation, unless there is a panel or has been a use since.
    private func end(_ uses: Int) {
        let observation = state.withLock { state -> ActivityObservation? in
            guard state.uses == uses, state.subscribers.isEmpty else { return nil }
            let observation = state.observation
            state.observation = nil
            state.pending = []
            state.history = []
            isOn.store(false, ordering: .relaxed)
            return observation
        }
        guard let observation else { return }
        observation.cancel()
        ended()
    }

    // MARK: Panels

    /// Returns the messages from now on, preceded by one with the history.
    func subscribe() -> AsyncStream<String> {
        touch()
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingNewest(Self.queueLimit)
        )
        let figures = figures
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

    /// Writes to all panels, so that those of disconnected browsers end.
    func beat() {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield("") }
    }

    /// Ends all panels' streams.
    func close() {
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
        let taken = state.withLock { state -> (first: Int, count: Int, entries: ArraySlice<ActivityEntry>)? in
            guard !state.pending.isEmpty else {
                state.isDraining = false
                return nil
            }
            let entries = state.pending.suffix(Self.messageLimit)
            let first = state.next + state.pending.count - entries.count
            let count = state.pending.count
            state.next += count
            state.pending = []
            return (first, count, entries)
        }
        guard let taken else { return nil }
        let printed = zip(taken.first..., taken.entries).map { Printed(number: $0, json: $1.json) }
        let figures = figures
        let text = Self.message(printed, next: taken.first + printed.count, figures)
        let subscribers = state.withLock { state in
            state.history.append(contentsOf: printed)
            state.history.removeFirst(max(0, state.history.count - Self.historyLimit))
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield(text) }
        return taken.count
    }

    private static func message(_ entries: [Printed], next: Int, _ figures: [(String, JSONValue)]) -> String {
        JSONValue.object([
            ("next", .integer(next)), ("figures", .object(figures)),
            ("entries", .array(entries.map { .array([.integer($0.number), $0.json]) })),
        ]).text
    }

    private var figures: [(String, JSONValue)] {
        let statistics = coordinator.statistics
        let store = coordinator.persistentStores.first
        let sizes = store?.fileSizes
        return [
            ("token", .string(token)), ("statements", .integer(Int(statistics.statements))),
            ("transactions", .integer(Int(statistics.transactions))),
            ("faults", .integer(Int(context.statistics.faultsFired))),
            ("registered", .integer(state.withLock { $0.registered })),
            ("file", .string(store?.url?.path ?? "")), ("main", .integer(sizes?.main ?? 0)),
            ("log", .integer(sizes?.log ?? 0)),
        ]
    }
}
