// Notices that somebody has written to a store's file: another process, another coordinator, or this one. Owned by a SQLite
// store that was opened with NSPersistentStoreRemoteChangeNotificationPostOptionKey. It asks SQLite for the version of the
// data some times a second through a connection of its own, which costs one read of a shared page.
import Dispatch
import Foundation
import GraphSQL
import GraphSQLite

/// Posts `NSPersistentStoreRemoteChange` after each change of a file.
final class RemoteChangeWatch: @unchecked Sendable {
    // Unchecked: all but `queue` is used on the queue only.

    /// Time between two looks, in milliseconds.
    static let interval = 200

    private let queue = DispatchQueue(label: "ManagedGraph.RemoteChangeWatch", qos: .utility)
    private let timer: any DispatchSourceTimer
    private let url: URL
    private let storeUUID: String
    private weak var coordinator: NSPersistentStoreCoordinator?
    private var connection: Connection?
    private var version: Int64?

    init(_ url: URL, storeUUID: String, coordinator: NSPersistentStoreCoordinator?) throws {
        self.url = url
        self.storeUUID = storeUUID
        self.coordinator = coordinator
        let connection = try Connection(path: url.path, mode: .readOnly)
        self.connection = connection
        version = try Self.version(connection)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now() + .milliseconds(Self.interval),
            repeating: .milliseconds(Self.interval),
            leeway: .milliseconds(20)
        )
        timer.setEventHandler { [weak self] in self?.look() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// Looks at once; called after a save of this process.
    func wake() { queue.async { [weak self] in self?.look() } }

    /// Ends the watch, and waits for a look at work.
    func stop() {
        timer.cancel()
        queue.sync {
            connection?.close()
            connection = nil
        }
    }

    private func look() {
        // A file that is locked or gone for a moment is looked at again soon.
        guard let connection, let found = try? Self.version(connection), found != version else { return }
        version = found
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeUUID, NSPersistentStoreURLKey: url]
        if let last = try? StoreFile.lastKey(rootEntity: HistorySchema.transactionNumber, in: connection) {
            userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([storeUUID: last])
        }
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }

    private static func version(_ connection: Connection) throws -> Int64? {
        guard case .integer(let version)? = try connection.rows("PRAGMA data_version").first?.first else { return nil }
        return version
    }
}
