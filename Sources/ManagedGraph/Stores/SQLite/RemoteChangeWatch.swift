// Notices that a store's content was changed by another process, another coordinator or this one. Owned by a SQLite store that
// was opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It asks SQLite for the version of the data some times
// a second through a connection of its own, which costs one read of a shared page. A store that only its own coordinator can
// reach has no such connection: the watch reports each of its saves instead.
import Dispatch
import Foundation
import GraphSQL
import GraphSQLite

/// Posts `NSPersistentStoreRemoteChange` after each change of a store.
final class RemoteChangeWatch: @unchecked Sendable {
    // Unchecked: all but `queue` is used on the queue only.

    /// Time between two looks, in milliseconds.
    static let interval = 200
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let queue = DispatchQueue(label: "ManagedGraph.RemoteChangeWatch", qos: .utility)
    private let timer: (any DispatchSourceTimer)?
    private let url: URL
    private let storeUUID: String
    private weak var coordinator: NSPersistentStoreCoordinator?
    private var connection: Connection?
    private var version: Int64?
    private var isStopped = false

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - connection: A connection that only the watch uses; nil for a store that only its coordinator can reach.
    ///   - url: The store's location, for the notifications.
    ///   - storeUUID: The store's identifier, for the notifications.
    ///   - coordinator: The object of the notifications.
    /// - Throws: `SQLiteError` where the store cannot be read.
    init(_ connection: Connection?, url: URL, storeUUID: String, coordinator: NSPersistentStoreCoordinator?) throws {
        self.url = url
        self.storeUUID = storeUUID
        self.coordinator = coordinator
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
        guard !isStopped else { return }
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeUUID, NSPersistentStoreURLKey: url]
        if let transaction {
            userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([storeUUID: transaction])
        }
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }

    private static func version(_ connection: Connection) throws -> Int64? {
        guard case .integer(let version)? = try connection.rows("PRAGMA data_version").first?.first else { return nil }
        return version
    }
}
