// Running statements: any number in one round trip, by libpq's pipeline mode. Prepares statements on the way, and closes
// evicted ones.
import CPostgreSQL
import Foundation
import GraphEngine
import GraphSQL

extension PostgreSQLConnection {
    /// A reply that the server owes.
    private enum Reply {
        case preparation(StatementCache.Entry)
        case statement(Int)
        case closing(String)
        case end
    }

    /// Runs one statement; one round trip.
    ///
    /// - Parameters:
    ///   - statement: The text with `$1` … and the values. The values' types are those of the parameters; the server
    ///     infers the type of NULL.
    ///   - prepares: Whether the statement is kept prepared for the next time; it never is behind a pooler.
    /// - Returns: The result, with all rows.
    /// - Throws: `PostgreSQLError`. The connection can be used afterwards unless `isClosed`; a transaction has failed.
    @discardableResult
    package func execute(_ statement: SQLStatement, prepares: Bool = true) throws -> PostgreSQLResult {
        let isAlone = transactionState == .none
        do {
            return try pipeline([statement], prepares: prepares)[0]
        } catch let error as PostgreSQLError where error.kind == .stalePlan && isAlone && transactionState == .none {
            // The server has done nothing, and the next call prepares the statement again.
            return try pipeline([statement], prepares: prepares)[0]
        }
    }

    /// Runs a text without values; one round trip.
    ///
    /// - Throws: `PostgreSQLError`.
    @discardableResult
    package func execute(_ text: String) throws -> PostgreSQLResult {
        try execute(SQLStatement(text), prepares: false)
    }

    /// Collects statements and runs them; one round trip.
    ///
    /// - Parameter collect: Adds the statements.
    /// - Returns: The results in the order of the statements.
    /// - Throws: `PostgreSQLError` of the first statement that fails, with its index.
    @discardableResult
    package func pipeline(_ collect: (inout StatementBatch) throws -> Void) throws -> [PostgreSQLResult] {
        var batch = StatementBatch()
        try collect(&batch)
        return try pipeline(batch.statements)
    }

    /// Runs statements; one round trip, whatever their number.
    ///
    /// Outside of a transaction all of them are one transaction, unless there is a `BEGIN` among them: if one fails, the
    /// others have no effect.
    ///
    /// - Parameters:
    ///   - batch: The statements; none of them may be a COPY.
    ///   - prepares: Whether they are kept prepared for the next time.
    ///   - afterCommit: Called with the error of a statement after a COMMIT, which has taken place: the batch succeeds,
    ///     and that statement and those after it have empty results. If it is nil, such an error is that of the batch.
    /// - Returns: The results in the order of the statements.
    /// - Throws: `PostgreSQLError` of the first statement that fails, with its index; the later ones did not run.
    package func pipeline(
        _ batch: [SQLStatement],
        prepares: Bool = true,
        afterCommit: ((PostgreSQLError) -> Void)? = nil
    ) throws -> [PostgreSQLResult] {
        if batch.isEmpty { return [] }
        let handle = try requireHandle(batch[0].text)
        try settle(waits: false)
        let isObserved = observer != nil || monitor?.isOn == true
        let (entries, places) = try bind(batch, prepares: prepares)
        let isCommitting = batch.contains { $0.text.hasPrefix("COMMIT") }
        let began = ContinuousClock.now
        canceller.statementBegins()
        defer { canceller.statementEnded() }
        guard PQenterPipelineMode(handle) == 1 else { throw lost(statement: batch[0].text) }
        var replies: [Reply] = []
        replies.reserveCapacity(batch.count + 1)
        var prepared: Set<ObjectIdentifier> = []
        for (index, entry) in entries.enumerated() {
            guard send(entry, places[index], index, to: handle, &replies, &prepared) else {
                throw lost(statement: entry.text, isCommitting: isCommitting)
            }
        }
        guard PQpipelineSync(handle) == 1 else { throw lost(isCommitting: isCommitting) }
        replies.append(.end)
        guard sendClosings(to: handle, &replies), flush(handle) else { throw lost(isCommitting: isCommitting) }
        counters.addRoundTrip()
        try readEnd(handle, isCommitting: isCommitting)
        let (results, failure) = try receive(
            replies,
            of: batch,
            from: handle,
            began: isObserved ? began : nil,
            isCommitting: isCommitting
        )
        guard PQexitPipelineMode(handle) == 1 else { throw lost() }
        guard let failure else { return results }
        guard let afterCommit, let index = failure.index, batch[..<index].contains(where: { $0.text == "COMMIT" })
        else { throw failure }
        afterCommit(failure)
        return results
    }

    // MARK: Sending

    /// Encodes the values of statements.
    ///
    /// - Returns: The statements as they are sent, and the places of each one's values among the parameters.
    /// - Throws: `PostgreSQLError` of the first statement whose values do not fit it, with its index.
    private func bind(
        _ batch: [SQLStatement],
        prepares: Bool
    ) throws -> (entries: [StatementCache.Entry], places: [Range<Int>]) {
        let named = prepares && !facts.isPooled
        var entries: [StatementCache.Entry] = []
        var places: [Range<Int>] = []
        parameters.removeAll()
        for (index, statement) in batch.enumerated() {
            let entry = named ? statements.entry(statement) : unnamed(statement)
            do {
                let count = statement.bindings.count
                guard count <= ParameterList.limit else {
                    throw PostgreSQLError(state: "54023", message: "\(count) values for one statement")
                }
                places.append(try parameters.append(statement.bindings, as: entry.types))
            } catch var error as PostgreSQLError {
                error.statement = statement.text
                error.index = index
                throw error
            }
            entries.append(entry)
        }
        return (entries, places)
    }

    private func unnamed(_ statement: SQLStatement) -> StatementCache.Entry {
        StatementCache.Entry(name: "", text: statement.text, types: statement.bindings.map(ValueEncoder.type))
    }

    /// Queues a statement, after its preparation if it needs one.
    private func send(
        _ entry: StatementCache.Entry,
        _ places: Range<Int>,
        _ index: Int,
        to handle: OpaquePointer,
        _ replies: inout [Reply],
        _ prepared: inout Set<ObjectIdentifier>
    ) -> Bool {
        let count = Int32(places.count)
        let types = entry.types.map(\.oid)
        let isNamed = !entry.name.isEmpty
        if isNamed, !entry.isPrepared, prepared.insert(ObjectIdentifier(entry)).inserted {
            guard PQsendPrepare(handle, entry.name, entry.text, count, types) == 1 else { return false }
            replies.append(.preparation(entry))
        }
        let isSent = parameters.withPointers(places) { values, lengths, formats in
            isNamed
                ? PQsendQueryPrepared(handle, entry.name, count, values, lengths, formats, 1)
                : PQsendQueryParams(handle, entry.text, count, types, values, lengths, formats, 1)
        }
        replies.append(.statement(index))
        // The server's replies are read while statements are sent, so that neither side waits for the other.
        return isSent == 1 && (index & 63 != 63 || flush(handle))
    }

    /// Queues the closing of evicted statements, each separately: a failure must not undo the batch.
    private func sendClosings(to handle: OpaquePointer, _ replies: inout [Reply]) -> Bool {
        for name in statements.evicted {
            guard PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1) == 1,
                PQpipelineSync(handle) == 1
            else { return false }
            replies += [.closing(name), .end]
        }
        return true
    }

    // MARK: Receiving

    /// Reads all replies; returns the results, and the error of the statement that failed.
    ///
    /// - Throws: `PostgreSQLError` if the connection is lost.
    private func receive(
        _ replies: [Reply],
        of batch: [SQLStatement],
        from handle: OpaquePointer,
        began: ContinuousClock.Instant?,
        isCommitting: Bool
    ) throws -> (results: [PostgreSQLResult], failure: PostgreSQLError?) {
        var results: [PostgreSQLResult] = []
        results.reserveCapacity(batch.count)
        var failure: PostgreSQLError?
        var began = began
        var next = 0
        while next < replies.count {
            waitWhileWanted(handle)
            guard let pointer = PQgetResult(handle) else { throw lost(failure, isCommitting: isCommitting) }
            let result = PostgreSQLResult(pointer)
            let status = PQresultStatus(pointer)
            if status == PGRES_FATAL_ERROR {
                let index = Self.statement(of: replies[next...])
                let error = PostgreSQLError(pointer, statement: index.map { batch[$0].text }, index: index)
                if PQstatus(handle) != CONNECTION_OK || error.endsConnection {
                    throw lost(error, isCommitting: isCommitting)
                }
                note(error, of: replies[next])
                if case .closing = replies[next] {} else { failure = failure ?? error }
            } else if status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH {
                _ = lost()
                throw PostgreSQLError(
                    state: "0A000",
                    message: "a COPY was run as a statement",
                    statement: batch[0].text
                )
            }
            switch replies[next] {
            case .preparation(let entry): if status == PGRES_COMMAND_OK { statements.prepared(entry) }
            case .statement(let index):
                results.append(result)
                if status != PGRES_PIPELINE_ABORTED {
                    counters.add(statements: 1, rows: result.count)
                    if let start = began { began = observe(batch[index], result, began: start) }
                }
            case .closing(let name):
                if status == PGRES_COMMAND_OK { statements.closed(name) }
            case .end:
                guard status == PGRES_PIPELINE_SYNC else { throw lost(failure, isCommitting: isCommitting) }
            }
            guard endReply(replies[next], handle) else { throw lost(failure, isCommitting: isCommitting) }
            next += 1
        }
        return (results, failure)
    }

    /// The place of the statement that the first of some replies belongs to, for errors.
    private static func statement(of replies: ArraySlice<Reply>) -> Int? {
        for reply in replies {
            if case .statement(let index) = reply { return index }
            if case .end = reply { return nil }
        }
        return nil
    }

    /// Reads the empty result that marks the end of each reply but that of the batch; false if there is another one.
    private func endReply(_ reply: Reply, _ handle: OpaquePointer) -> Bool {
        if case .end = reply { return true }
        guard let extra = PQgetResult(handle) else { return true }
        PQclear(extra)
        return false
    }

    /// Brings the cache of statements up to date after an error.
    private func note(_ error: PostgreSQLError, of reply: Reply) {
        switch reply {
        case .closing(let name):
            // The server has dropped the statement already.
            if error.state == "26000" { statements.closed(name) }
        case .statement where error.kind == .stalePlan:
            statements.removeAll(areGone: error.state == "26000")
        default: break
        }
    }

    /// Reports a statement that has run; returns the start of the next one.
    private func observe(
        _ statement: SQLStatement,
        _ result: PostgreSQLResult,
        began: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        let rows = result.count > 0 ? result.count : result.affectedRows
        var event = StatementEvent(
            text: statement.text,
            bindings: statement.bindings,
            rows: rows,
            duration: now - began,
            began: began
        )
        for row in 0..<min(result.count, observedRows) {
            event.values.append((0..<result.columnCount).map { result.observedValue($0, row) })
        }
        observer?(event)
        if let monitor, monitor.isOn { monitor.record(event) }
        return now
    }
}
