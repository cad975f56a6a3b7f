// Writes many rows by COPY, and runs scripts of several statements. Neither can be part of a pipeline.
import CPostgreSQL
import Foundation
import GraphEngine
import GraphSQL

extension PostgreSQLConnection {
    /// Writes rows into a table; two round trips, whatever their number, in constant memory.
    ///
    /// If an error is thrown, no row has been written.
    ///
    /// - Parameters:
    ///   - statement: `COPY table (column, …) FROM STDIN (FORMAT binary)`.
    ///   - write: Writes the rows.
    /// - Returns: The number of rows that the server has stored.
    /// - Throws: `PostgreSQLError`, or the error of `write`.
    @discardableResult
    package func copyIn(_ statement: String, _ write: (inout CopyWriter) throws -> Void) throws -> Int {
        let handle = try requireHandle(statement)
        try settle(waits: true)
        let began = ContinuousClock.now
        canceller.statementBegins()
        defer { canceller.statementEnded() }
        guard PQsendQuery(handle, statement) == 1, flush(handle) else { throw lost(statement: statement) }
        counters.addRoundTrip()
        guard let first = PQgetResult(handle) else { throw lost(statement: statement) }
        defer { PQclear(first) }
        guard PQresultStatus(first) == PGRES_COPY_IN else {
            let results = try endResults(handle, statement)
            if PQresultStatus(first) == PGRES_FATAL_ERROR { throw PostgreSQLError(first, statement: statement) }
            throw results.first
                ?? PostgreSQLError(
                    state: "42601",
                    message: "the statement is not a COPY FROM STDIN",
                    statement: statement
                )
        }
        var failure: (any Error)?
        var writer = CopyWriter { try self.send($0, to: handle, statement) }
        do {
            try write(&writer)
            try writer.finish()
        } catch {
            failure = error
            if isClosed { throw error }
        }
        // The server's error, if it has stopped the COPY, is read below.
        _ = PQputCopyEnd(handle, failure == nil ? nil : "the program has stopped writing")
        guard flush(handle) else { throw lost(statement: statement) }
        counters.addRoundTrip()
        var rowCount = 0
        let errors = try endResults(handle, statement) { rowCount = Int(String(cString: PQcmdTuples($0))) ?? 0 }
        if let failure, !(failure is CopyStopped) { throw failure }
        if let error = errors.first { throw error }
        counters.add(statements: 1, rows: 0)
        report(statement, rows: rowCount, began: began)
        return rowCount
    }

    /// Sends a portion of a COPY.
    private func send(_ bytes: [UInt8], to handle: OpaquePointer, _ statement: String) throws {
        while true {
            let code = bytes.withUnsafeBytes {
                PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            if code == 0 || code == 1, !flush(handle) { throw lost(statement: statement) }
            if code == 1 { return }
            // The server has ended the COPY with an error.
            if code < 0 { throw PQstatus(handle) == CONNECTION_OK ? CopyStopped() : lost(statement: statement) }
        }
    }

    /// Runs a text with any number of statements; one round trip, without values and results.
    ///
    /// Outside a transaction they run as one transaction, unless the script begins its own.
    ///
    /// - Parameter script: The statements, separated by semicolons.
    /// - Throws: `PostgreSQLError` of the first statement that fails; the later ones did not run.
    package func executeScript(_ script: String) throws {
        let handle = try requireHandle(script)
        try settle(waits: true)
        let began = ContinuousClock.now
        canceller.statementBegins()
        defer { canceller.statementEnded() }
        guard PQsendQuery(handle, script) == 1, flush(handle) else { throw lost(statement: script) }
        counters.addRoundTrip()
        var count = 0
        let errors = try endResults(handle, script) { _ in count += 1 }
        if let error = errors.first { throw error }
        counters.add(statements: count, rows: 0)
        report(script, rows: 0, began: began)
    }

    /// Reads the results up to the end of a command; returns the errors among them.
    private func endResults(
        _ handle: OpaquePointer,
        _ statement: String,
        _ each: (OpaquePointer) -> Void = { _ in }
    ) throws -> [PostgreSQLError] {
        var errors: [PostgreSQLError] = []
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_FATAL_ERROR: errors.append(PostgreSQLError(result, statement: statement))
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                _ = lost()
                throw PostgreSQLError(state: "0A000", message: "a COPY was run as a statement", statement: statement)
            default: each(result)
            }
            if PQstatus(handle) != CONNECTION_OK { throw lost(errors.last, statement: statement) }
        }
        return errors
    }

    /// Reports a statement without values.
    func report(_ sql: String, rows: Int, began: ContinuousClock.Instant) {
        guard observer != nil || monitor?.isOn == true else { return }
        let event = StatementEvent(text: sql, bindings: [], rows: rows, duration: .now - began, began: began)
        observer?(event)
        if let monitor, monitor.isOn { monitor.record(event) }
    }
}

/// The server has ended a COPY; its error follows.
private struct CopyStopped: Error {}
