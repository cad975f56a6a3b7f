// Detects changes of a store by another process, another coordinator or this one. Owned by a SQLite store that was
// opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. The watch polls SQLite's data version through a
// connection of its own: several times a second, which costs one read of a shared page, and after each save in this
// process (WatchedFiles.swift). It has no connection to a store that only its own coordinator can reach, such as one in
// memory; that coordinator's saves are reported instead.
import Dispatch
import Foundation
import GraphEngine
import GraphSQL
import Synchronization

/// Reports each change of a store.
final class ChangeWatch: @unchecked Sendable {
    // Unchecked: the state has its lock, all else is constant.
    private struct State {
        var connection: Connection?
        var version: Int64?
        var isStopped = false
    }

    /// The polling interval in milliseconds.
    static let interval = 200

    private let queue = DispatchQueue(label: "ManagedGraph.ChangeWatch", qos: .utility)
    private let timer: (any DispatchSourceTimer)?
    private let changed: @Sendable (_ transaction: Int64?) -> Void
    /// Guards the connection; not held while `changed` runs, whose observers may wait for the thread that stops the
    /// watch.
    private let state: Mutex<UnsafeTransfer<State>>

    /// Starts the watch.
    ///
    /// - Parameters:
    ///   - connection: A connection that only the watch uses; nil for a store reachable only by its coordinator.
    ///   - changed: Called on the watch's queue with the number of the history's newest transaction.
    /// - Throws: `SQLiteError` if the store cannot be read.
    init(_ connection: Connection?, _ changed: @escaping @Sendable (Int64?) -> Void) throws {
        self.changed = changed
        let version = try connection.flatMap(Self.version)
        state = Mutex(UnsafeTransfer(State(connection: connection, version: version)))
        timer = connection.map { [queue] _ in DispatchSource.makeTimerSource(queue: queue) }
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

    /// Stops the watch and closes its connection; a report in progress may end later.
    ///
    /// An observer of the notification can also call this, by releasing the last reference to the coordinator.
    func stop() {
        timer?.cancel()
        state.withLock { state in
            state.value.isStopped = true
            state.value.connection?.close()
            state.value.connection = nil
        }
    }

    /// Reports a change if the data version has changed since the last look.
    private func look() {
        let newest: Int64?? = state.withLock { state in
            // If the file is temporarily locked or missing, the next check retries.
            guard let connection = state.value.connection, let currentVersion = try? Self.version(connection),
                currentVersion != state.value.version
            else { return nil }
            state.value.version = currentVersion
            return .some(try? StoreFile.lastKey(rootEntity: HistorySchema.transactionNumber, in: connection))
        }
        if let newest { report(newest) }
    }

    private func report(_ transaction: Int64?) {
        if !state.withLock({ $0.value.isStopped }) { changed(transaction) }
    }

    private static func version(_ connection: Connection) throws -> Int64? {
        guard case .integer(let version)? = try connection.rows("PRAGMA data_version").first?.first else { return nil }
        return version
    }
}
