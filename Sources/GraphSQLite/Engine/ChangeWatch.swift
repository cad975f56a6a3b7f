// Notices that a store's content was changed by another process, another coordinator or this one. Owned by a SQLite store that
// was opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It asks SQLite for the version of the data some times
// a second through a connection of its own, which costs one read of a shared page. A store that only its own coordinator can
// reach has no such connection: the watch reports each of its saves instead.
import Dispatch
import Foundation
import GraphSQL

/// Reports each change of a store.
final class ChangeWatch: @unchecked Sendable {
    // Unchecked: all but `queue` is used on the queue only.

    /// Time between two looks, in milliseconds.
    static let interval = 200
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "ManagedGraph.ChangeWatch", qos: .utility)
    private let timer: (any DispatchSourceTimer)?
    private let changed: @Sendable (_ transaction: Int64?) -> Void
    private var connection: Connection?
    private var version: Int64?
    private var isStopped = false

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - connection: A connection that only the watch uses; nil for a store that only its coordinator can reach.
    ///   - changed: Gets the number of the history's newest transaction, on the watch's queue.
    /// - Throws: `SQLiteError` where the store cannot be read.
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

    /// Looks at once; called after a save of this process.
    ///
    /// - Parameter transaction: The newest transaction of the history, for a store without a connection to look through.
    func wake(_ transaction: @autoclosure () -> Int64?) {
        guard timer == nil else { return queue.async { [weak self] in self?.look() } }
        let newest = transaction()
        queue.async { [weak self] in self?.report(newest) }
    }

    /// Ends the watch, and waits for a look at work.
    ///
    /// An observer of the notification can release the last reference to the coordinator, and with it the store. The call then
    /// comes from the watch's own queue, and the look at work is the caller.
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
        // A file that is locked or gone for a moment is looked at again soon.
        guard let connection, let found = try? Self.version(connection), found != version else { return }
        version = found
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
