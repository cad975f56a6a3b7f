// Detects transactions of this and of other processes by the newest number of the history. Owned by an engine that was
// opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It asks the server at intervals that grow while
// nothing happens, and at once after a commit of this process or a notification of the server.
import Dispatch
import Foundation
import GraphEngine
import Synchronization

/// Reports new transactions of a store.
final class HistoryWatch: @unchecked Sendable {
    // Unchecked: `start` is called before anything else; from then on all but `queue` is used only on the queue.

    /// The shortest and the longest time between two looks, in milliseconds.
    private static let intervals = 25...50
    /// The time between two looks while the server notifies, in milliseconds.
    private static let notifiedInterval = 1_000
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "ManagedGraph.HistoryWatch", qos: .utility)
    private weak var engine: PostgreSQLEngine?
    private var newest: Int64?
    private var interval = HistoryWatch.intervals.lowerBound
    /// The server's notifications; nil if the store does not use them, or they cannot be received now.
    private var notifications: SaveNotifications?
    private var lastTry = ContinuousClock.now
    private var isStopped = false

    init(_ engine: PostgreSQLEngine) {
        self.engine = engine
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
    }

    /// Starts looking for transactions that follow those of this moment.
    func start() {
        newest = try? last()
        queue.async { [self] in
            listen()
            schedule()
        }
    }

    /// Looks at once; called after a commit of this process.
    func wake() {
        queue.async { [self] in look() }
    }

    /// Stops, and waits for a look in progress unless called from within it.
    func stop() {
        if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) {
            end()
        } else {
            queue.sync { end() }
        }
    }

    private func end() {
        isStopped = true
        notifications = nil
    }

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
            // A save between the last look and this moment was not notified.
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
        // If the server cannot be reached, the next look tries again.
        guard !isStopped, let found = try? last() else { return }
        guard found != newest else {
            interval = min(interval + 1, Self.intervals.upperBound)
            return
        }
        if engine?.readsStandbys == true {
            guard let session = engine?.primaryReader(),
                let position = try? session.run(Standbys.writtenPosition).integer(0, 0)
            else { return }
            engine?.require(position)
        }
        newest = found
        interval = Self.intervals.lowerBound
        engine?.host?.storeDidChange(found)
    }

    private func last() throws -> Int64? {
        try engine?.primaryReader().lastTransaction()
    }
}
