// One connection to a server. Made by PostgreSQLPool; used by one thread at a time, which it blocks: that of a context's
// queue, never one of the cooperative pool. It leaves nothing in the server's session that a statement depends on: no SET,
// no temporary table, no session lock; so a pooler may run each transaction in another session.
import CPostgreSQL
import Foundation
import GraphEngine
import GraphSQL

/// A connection to a database.
package final class PostgreSQLConnection: @unchecked Sendable {
    // Unchecked: one thread at a time uses a connection. `canceller` and `counters` may be used by any thread.

    /// The state of the connection's transaction.
    package enum TransactionState: Sendable {
        case none, open
        /// A statement has failed; only ROLLBACK is accepted.
        case failed
        /// The connection is closed or lost.
        case unknown
    }

    package let address: DatabaseAddress
    package private(set) var facts: ServerFacts
    /// Ends the running statement, from any thread.
    package let canceller: StatementCanceller
    /// The counters of the store.
    package let counters: PostgreSQLCounters
    /// Receives each statement that has run.
    package var observer: ((StatementEvent) -> Void)?
    /// The monitor of the store that uses the connection.
    package var monitor: StatementMonitor?
    /// The number of rows of each statement passed to the observer.
    package var observedRows = 0
    /// Called some times a second while a statement runs, which is cancelled if it returns false; nil to wait without.
    package var isWanted: (() -> Bool)?
    /// The connection of libpq; nil once closed.
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    /// Set by libpq if the server has announced the end of an idle connection.
    let endNotice: UnsafeMutablePointer<Int32>
    /// The prepared statements.
    @exclusivity(unchecked) var statements = StatementCache()
    /// The parameters of the batch that is being sent.
    @exclusivity(unchecked) var parameters = ParameterList()
    /// Whether the reply to the end of a transaction has not been read yet.
    @exclusivity(unchecked) var owesEnd = false
    /// The number of the next cursor.
    var nextCursor = 1

    /// Connects, and probes the server; two round trips after those of libpq.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - counters: Counts the connection's work.
    /// - Throws: `PostgreSQLError` of the kind `cannotConnect`, `wrongPassword`, `missingDatabase` or
    ///   `tooManyConnections`.
    package init(_ address: DatabaseAddress, counters: PostgreSQLCounters = PostgreSQLCounters()) throws {
        let handle = try Self.connect(address)
        self.address = address
        self.counters = counters
        self.handle = handle
        canceller = StatementCanceller(handle)
        facts = .unprobed
        monitor = StatementMonitor.ofNewConnections
        counters.addConnection()
        endNotice = .allocate(capacity: 1)
        endNotice.initialize(to: 0)
        graph_pg_receive_notices(handle, endNotice)
        PQsetnonblocking(handle, 1)
        do {
            try checkEncoding(handle)
            let probe = ServerFacts.probe(isCockroachDB: PQparameterStatus(handle, "crdb_version") != nil)
            let result = try pipeline([SQLStatement(probe)], prepares: false)[0]
            facts = try ServerFacts(result, announcedBackend: Int(PQbackendPID(handle)))
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
        endNotice.deallocate()
    }

    /// Ends the connection; later calls throw.
    ///
    /// The server rolls an open transaction back.
    package func close() {
        canceller.close()
        if let handle { PQfinish(handle) }
        handle = nil
    }

    package var isClosed: Bool { handle == nil }

    package var transactionState: TransactionState {
        guard let handle else { return .unknown }
        if owesEnd { return PQstatus(handle) == CONNECTION_OK ? .none : .unknown }
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: return .none
        case PQTRANS_INTRANS, PQTRANS_ACTIVE: return .open
        case PQTRANS_INERROR: return .failed
        default: return .unknown
        }
    }

    /// Whether a transaction is open or has failed.
    package var isInTransaction: Bool { transactionState == .open || transactionState == .failed }

    /// Whether the server was a standby and has reported, with its last reply, that it is a primary now.
    ///
    /// Servers before version 14 do not report it.
    var isPromoted: Bool {
        guard facts.isStandby, let handle, let value = PQparameterStatus(handle, "in_hot_standby") else { return false }
        return String(cString: value) == "off"
    }

    // MARK: Opening

    private static func connect(_ address: DatabaseAddress) throws -> OpaquePointer {
        let list = address.connectionParameters
        let keywords = list.map { strdup($0.name) } + [nil]
        let values = list.map { strdup($0.value) } + [nil]
        defer { for string in keywords + values { free(string) } }
        let handle = keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
            }
        }
        guard let handle else {
            throw PostgreSQLError(state: "53200", message: "there is not enough memory for a connection")
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            let message = PostgreSQLError.trimmed(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
            throw PostgreSQLError(
                state: PQconnectionNeedsPassword(handle) != 0 ? "28P01" : state(ofFailedConnection: message),
                message: "\(address) cannot be opened: \(address.redacted(message))",
                hint: hint(ofFailedConnection: message)
            )
        }
        return handle
    }

    /// The SQLSTATE for a message about a connection that could not be made; libpq does not pass the server's on.
    private static func state(ofFailedConnection message: String) -> String {
        let texts = [
            ("28P01", ["password authentication failed", "no password supplied"]),
            ("28000", ["authentication failed", "pg_hba.conf", "is not permitted to log in"]),
            ("53300", ["too many", "remaining connection slots", "no more connections allowed"]),
            ("57P03", ["is starting up", "is shutting down", "is in recovery", "not yet accepting"]),
        ]
        if let match = texts.first(where: { $0.1.contains { message.contains($0) } }) { return match.0 }
        if message.contains("role \""), message.contains("does not exist") { return "28000" }
        if message.contains("database \""), message.contains("does not exist") { return "3D000" }
        return "08001"
    }

    /// The remedy if encryption or a service file is the cause of a failed connection; nil for other causes.
    private static func hint(ofFailedConnection message: String) -> String? {
        func mentions(_ texts: String...) -> Bool { texts.contains { message.contains($0) } }
        if mentions("certificate verify failed", "root certificate file") {
            return "Name the file with the certificate of the server's authority: sslrootcert= in the address."
        }
        if mentions("does not match host name") {
            return "Use the host name of the server's certificate in the address, with hostaddr= for its IP address."
        }
        if mentions("does not support SSL") {
            return "Switch TLS on in the server (ssl = on), or use sslmode=prefer if encryption is not needed."
        }
        // Servers before version 14 write "SSL off". If libpq has tried both ways, encryption is not the cause.
        if mentions("no encryption", "SSL off"), !mentions("SSL encryption", "SSL on") {
            return "If the server's pg_hba.conf demands encryption (hostssl), use sslmode=require in the address; "
                + "otherwise check the user and the database."
        }
        if mentions("definition of service", "service file") {
            return "Check service= in the address, and the service file (PGSERVICEFILE or ~/.pg_service.conf)."
        }
        return nil
    }

    /// Refuses databases whose texts have no encoding.
    private func checkEncoding(_ handle: OpaquePointer) throws {
        guard let name = PQparameterStatus(handle, "server_encoding"), String(cString: name) == "SQL_ASCII" else {
            return
        }
        throw PostgreSQLError(
            state: "08001",
            message: "the database of \(address) has the encoding SQL_ASCII, so its texts can be in any encoding",
            hint: "Create the database with ENCODING 'UTF8', and restore a dump of this one into it."
        )
    }

    // MARK: Failing

    /// The connection of libpq.
    ///
    /// - Throws: `PostgreSQLError` if the connection is closed.
    func requireHandle(_ statement: String?) throws -> OpaquePointer {
        if let handle { return handle }
        throw PostgreSQLError(state: "08003", message: "the connection is closed", statement: statement)
    }

    /// Closes the connection, and returns the error for it.
    ///
    /// - Parameters:
    ///   - error: The server's last error, if there is one.
    ///   - statement: The text of the statement that was running.
    ///   - isCommitting: Whether the transaction may have been committed.
    /// - Returns: The error to throw.
    func lost(_ error: PostgreSQLError? = nil, statement: String? = nil, isCommitting: Bool = false) -> PostgreSQLError
    {
        let reason = handle.flatMap { PQerrorMessage($0) }.map { PostgreSQLError.trimmed(String(cString: $0)) } ?? ""
        close()
        var error = error ?? PostgreSQLError(state: "08006", message: address.redacted(reason), statement: statement)
        error.message = "the connection to \(address) is lost: \(error.message)"
        if isCommitting {
            error.state = "08007"
            error.detail = "The transaction was being committed; whether it is in the database is not known."
        }
        return error
    }
}
