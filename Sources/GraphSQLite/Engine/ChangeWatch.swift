// Detects changes of a store by another process, another coordinator or this one. Owned by an SQLite store that was
// opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It polls SQLite's data version several times a
// second through its own connection, which costs one read of a shared page, and immediately after each save in this process
// (WatchedFiles.swift). A store reachable only by its own coordinator has no such connection: the watch reports each of
// that coordinator's saves instead.
import Dispatch
import Foundation
import GraphSQL

/// Reports each change of a store.
final class ChangeWatch: @unchecked Sendable {
    // Unchecked: everything except `queue` is used only on the queue.

    /// The polling interval in milliseconds.
    static let interval = 200
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "ManagedGraph.ChangeWatch", qos: .utility)
    private let timer: (any DispatchSourceTimer)?
    private let changed: @Sendable (_ transaction: Int64?) -> Void
    private var connection: Connection?
    private var version: Int64?
    private var isStopped = false

    /// Starts the watch.
    ///
    /// - Parameters:
    ///   - connection: A connection that only the watch uses; nil for a store reachable only by its coordinator.
    ///   - changed: Called on the watch's queue with the number of the history's newest transaction.
    /// - Throws: `SQLiteError` if the store cannot be read.
    init(_ connection: Connection?, _ changed: @escaping @Sendable (Int64?) -> Void) throws {
        self.changed = changed
        self.connection = connection
        version = try connection.flatMap(Self.version)
        timer = connection.map { [queue] _ in DispatchSource.makeTimerSource(queue: queue) }
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
        timer?.schedule(
            deadline: .now() + .milliseconds(Self.interval),
            repeating: .milliseconds(Self.interval),
            leeway: .milliseconds(20)
        )
        timer?.setEventHandler { [weak self] in self?.look() }
        timer?.resume()
    }

    deinit { timer?.cancel() }

    /// Checks for changes immediately; called after a save of this process.
    ///
    /// - Parameter transaction: The history's newest transaction; used only if the watch has no connection.
    func wake(_ transaction: @autoclosure () -> Int64?) {
        guard timer == nil else { return queue.async { [weak self] in self?.look() } }
        let newest = transaction()
        queue.async { [weak self] in self?.report(newest) }
    }

    /// Stops the watch, and waits for a check in progress.
    ///
    /// An observer of the notification can release the last reference to the coordinator, and with it the store. The
    /// call then comes from the watch's own queue, from within the check in progress.
    func stop() {
        timer?.cancel()
        if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) { return finish() }
        queue.sync { finish() }
    }

    private func finish() {
        isStopped = true
        connection?.close()
        connection = nil
    }

    private func look() {
        // If the file is temporarily locked or missing, the next check retries.
        guard let connection, let currentVersion = try? Self.version(connection), currentVersion != version else {
            return
        }
        version = currentVersion
        report(try? StoreFile.lastKey(rootEntity: HistorySchema.transactionNumber, in: connection))
    }

    private func report(_ transaction: Int64?) {
        if !isStopped { changed(transaction) }
    }

    private static func version(_ connection: Connection) throws -> Int64? {
        guard case .integer(let version)? = try connection.rows("PRAGMA data_version").first?.first else { return nil }
        return version
    }
}
