// Notifications of saves by the server (`notify=on`), which replace frequent queries of the history watch. They only
// wake the watch: the changes are in the history. Owned by HistoryWatch, and used on its queue.
// PostgreSQLWriter sends them.
import Dispatch
import Foundation
import GraphEngine
import GraphSQL

/// Listens to the notifications of one store's saves.
package final class SaveNotifications {
    private let source: any DispatchSourceRead

    /// Connects and listens.
    ///
    /// - Parameters:
    ///   - address: The store's database.
    ///   - store: The store's identifier.
    ///   - queue: The queue for `handle`.
    ///   - handle: Called after notifications, and with an error when the connection is lost.
    /// - Throws: `PostgreSQLError`; also for a connection pooler, which does not forward notifications.
    package init(
        _ address: DatabaseAddress,
        store: String,
        queue: DispatchQueue,
        handle: @escaping @Sendable ((any Error)?) -> Void
    ) throws {
        let connection = try PostgreSQLConnection(address)
        guard !connection.facts.isPooled, let socket = connection.socket else {
            connection.close()
            throw PostgreSQLError(
                state: "0A000",
                message: "the address leads to a connection pooler, which does not forward notifications",
                hint: "Remove notify=on from the address; the history is then queried at short intervals."
            )
        }
        try connection.execute("LISTEN \(Self.channel(store))")
        // A duplicated descriptor stays open until the source has ended, even if the connection is lost earlier.
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            connection.close()
            throw PostgreSQLError(
                state: "53000",
                message: "the connection for notifications cannot be watched: \(reason)",
                hint: "Raise the limit of open files (ulimit -n)."
            )
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        // The source keeps its handlers, and with them itself, until it is cancelled.
        source.setEventHandler {
            do {
                if try connection.takeNotifications() > 0 { handle(nil) }
            } catch {
                source.cancel()
                handle(error)
            }
        }
        source.setCancelHandler {
            connection.close()
            close(descriptor)
        }
        source.resume()
    }

    deinit { source.cancel() }

    /// The channel of a store's saves.
    private static func channel(_ store: String) -> String {
        "\"mg_\(store.filter { $0.isHexDigit || $0 == "-" }.lowercased())\""
    }

    /// The statement that notifies all listeners; sent after a COMMIT, because a transaction that notifies delays all
    /// other commits of the server.
    static func statement(store: String) -> SQLStatement { SQLStatement("NOTIFY \(channel(store))") }
}
