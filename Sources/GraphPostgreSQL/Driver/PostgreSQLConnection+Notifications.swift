// Notifications of the server (LISTEN), for a connection that does nothing else.
import CPostgreSQL

extension PostgreSQLConnection {
    /// The connection's socket, which becomes readable when notifications arrive; nil if the connection is closed.
    package var socket: Int32? {
        guard let handle, PQstatus(handle) == CONNECTION_OK else { return nil }
        return PQsocket(handle)
    }

    /// Removes the notifications that have arrived, without waiting.
    ///
    /// - Returns: Their number.
    /// - Throws: `PostgreSQLError` if the connection is lost.
    package func takeNotifications() throws -> Int {
        let handle = try requireHandle("LISTEN")
        guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK, endNotice.pointee == 0 else {
            throw lost(statement: "LISTEN")
        }
        var count = 0
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            count += 1
        }
        return count
    }
}
