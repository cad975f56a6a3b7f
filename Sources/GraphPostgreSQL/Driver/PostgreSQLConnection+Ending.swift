// The end of a transaction that has only read: nothing depends on the server's reply, so it is read once it has arrived,
// or before the reply to the next statement.
import CPostgreSQL
import GraphEngine
import GraphSQL

extension PostgreSQLConnection {
    /// Ends a transaction that has only read; no round trip.
    ///
    /// - Throws: `PostgreSQLError` if the connection is lost.
    package func endReading() throws {
        guard transactionState == .open else {
            if transactionState == .failed { try execute("ROLLBACK") }
            return
        }
        let (handle, sql) = (try requireHandle("COMMIT"), "COMMIT")
        let began = ContinuousClock.now
        guard PQenterPipelineMode(handle) == 1, PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1,
            PQpipelineSync(handle) == 1, flush(handle)
        else { throw lost(statement: sql) }
        owesEnd = true
        counters.add(statements: 1, rows: 0)
        report(sql, rows: 0, began: began)
    }

    /// Reads the reply to `endReading`, if the server owes it.
    ///
    /// - Parameter waits: Whether to wait for a reply that has not come yet.
    /// - Throws: `PostgreSQLError` if the connection is lost.
    func settle(waits: Bool) throws {
        guard owesEnd else { return }
        let handle = try requireHandle(nil)
        if !waits {
            // The reply and the end of the batch are sent together.
            guard PQconsumeInput(handle) == 1 else { throw lost() }
            if PQisBusy(handle) == 1 { return }
        }
        try readEnd(handle)
        guard PQexitPipelineMode(handle) == 1 else { throw lost() }
    }

    /// Waits for the reply to `endReading`; later statements may have been sent.
    ///
    /// - Parameters:
    ///   - handle: The connection of libpq.
    ///   - isCommitting: Whether a commit is among the later statements.
    /// - Throws: `PostgreSQLError` if the connection is lost.
    func readEnd(_ handle: OpaquePointer, isCommitting: Bool = false) throws {
        while owesEnd {
            guard let result = PQgetResult(handle) else {
                guard PQstatus(handle) == CONNECTION_OK else { throw lost(isCommitting: isCommitting) }
                continue
            }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: owesEnd = false
            case PGRES_COMMAND_OK: continue
            default: throw lost(PostgreSQLError(result, statement: "COMMIT"), isCommitting: isCommitting)
            }
        }
    }
}
