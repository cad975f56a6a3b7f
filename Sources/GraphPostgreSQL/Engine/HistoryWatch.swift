// Detects transactions of this and of other processes by the newest number of the history. Owned by an engine that was
// opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It asks the server at intervals that grow while
// nothing happens, and immediately after a commit of this process or a notification of the server.
import Dispatch
import Foundation
import GraphEngine
import Synchronization

/// Reports new transactions of a store.
final class HistoryWatch: @unchecked Sendable {
    // Unchecked: `start` is called before anything else; from then on all but `queue` and `state` is used only on the
    // queue.

    private struct State {
        var isStopped = false
        /// Whether observers are being called.
        var isReporting = false
    }

    /// The shortest and the longest time between two queries, in milliseconds.
    private static let intervals = 25...50
    /// The time between two queries while the server notifies, in milliseconds.
    private static let notifiedInterval = 1_000
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "ManagedGraph.HistoryWatch", qos: .utility)
    private weak var engine: PostgreSQLEngine?
    private var newest: Int64?
    private var interval = HistoryWatch.intervals.lowerBound
    /// The server's notifications; nil if the store does not use them, or they cannot be received now.
    private var notifications: SaveNotifications?
    private var lastTry = ContinuousClock.now
    private let state = Mutex(State())
    private var isStopped: Bool { state.withLock { $0.isStopped } }

    init(_ engine: PostgreSQLEngine) {
        self.engine = engine
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
    }

    /// Starts watching for transactions that are newer than the current ones.
    func start() {
        newest = try? last()
        queue.async { [self] in
            listen()
            schedule()
        }
    }

    /// Queries the history immediately; called after a commit of this process.
    func wake() {
        queue.async { [self] in look() }
    }

    /// Stops, and waits for a query in progress unless called from within it.
    ///
    /// It does not wait for observers, because one of them may be waiting for the calling thread.
    func stop() {
        let isReporting = state.withLock { state in
            state.isStopped = true
            return state.isReporting
        }
        if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) {
            end()
        } else if isReporting {
            queue.async { [self] in end() }
        } else {
            queue.sync { end() }
        }
    }

    private func end() { notifications = nil }

    /// Listens to the server's notifications, if the store uses them; called again after a failure.
    private func listen() {
        guard !isStopped, let engine, engine.configuration.address.notifies, notifications == nil else { return }
        do {
            notifications = try SaveNotifications(
                engine.configuration.address,
                store: engine.identifier,
                queue: queue
            ) { [weak self] error in
                guard let self else { return }
                if let error {
                    self.engine?.log(.warning, "Saves are not notified for now: \(error)")
                    notifications = nil
                }
                look()
            }
            // No notification reports a save between the last query and the start of listening.
            look()
        } catch {
            engine.log(.warning, "Saves are not notified for now: \(error)")
        }
    }

    private func schedule() {
        guard !isStopped else { return }
        let pause = notifications == nil ? interval : Self.notifiedInterval
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
            guard let self, !isStopped else { return }
            look()
            lookForNotifications()
            schedule()
        }
    }

    /// Tries again to listen, once a second.
    private func lookForNotifications() {
        guard notifications == nil, lastTry.duration(to: .now) > .seconds(1) else { return }
        lastTry = .now
        listen()
    }

    private func look() {
        // If the server cannot be reached, the next query retries.
        guard !isStopped, let latest = try? last() else { return }
        guard latest != newest else {
            interval = min(interval + 1, Self.intervals.upperBound)
            return
        }
        if engine?.readsStandbys == true {
            guard let session = engine?.primaryReader(),
                let position = try? session.run(Standbys.writtenPosition).integer(0, 0)
            else { return }
            engine?.require(position)
        }
        newest = latest
        interval = Self.intervals.lowerBound
        report(latest)
    }

    private func report(_ transaction: Int64) {
        let isReporting = state.withLock { state in
            state.isReporting = !state.isStopped
            return state.isReporting
        }
        guard isReporting else { return }
        engine?.host?.storeDidChange(transaction)
        state.withLock { $0.isReporting = false }
    }

    private func last() throws -> Int64? {
        try engine?.primaryReader().lastTransaction()
    }
}
