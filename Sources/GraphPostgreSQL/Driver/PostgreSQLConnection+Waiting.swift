// Waiting for the server: reading while writing, so that both sides can never wait for each other with full buffers.
import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// Sends everything that libpq has queued, and reads at the same time.
    ///
    /// Returns false if the connection is lost.
    func flush(_ handle: OpaquePointer) -> Bool {
        while true {
            switch PQflush(handle) {
            case 0: return true
            case 1:
                guard let events = wait(handle, for: POLLIN | POLLOUT, until: nil) else { return false }
                if events & POLLIN != 0, PQconsumeInput(handle) == 0 { return false }
            default: return false
            }
        }
    }

    /// Waits until the socket is ready; returns the events, or nil if the time is over or the socket is closed.
    private func wait(_ handle: OpaquePointer, for events: Int32, until deadline: ContinuousClock.Instant?) -> Int32? {
        let socket = PQsocket(handle)
        guard socket >= 0 else { return nil }
        while true {
            var request = pollfd(fd: socket, events: Int16(events), revents: 0)
            var limit: Int32 = -1
            if let deadline {
                let remaining = deadline - .now
                guard remaining > .zero else { return nil }
                limit = Int32(
                    clamping: remaining.components.seconds * 1_000 + remaining.components.attoseconds
                        / 1_000_000_000_000_000 + 1
                )
            }
            let count = poll(&request, 1, limit)
            // An error or a hang-up is reported by the next read.
            if count > 0 { return Int32(request.revents) & (POLLERR | POLLHUP) != 0 ? events : Int32(request.revents) }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// Waits for the next reply, and cancels the statement once `isWanted` returns false.
    ///
    /// Returns immediately if there is no such closure.
    ///
    /// The cancelled statement has a reply too, which is its error.
    func waitWhileWanted(_ handle: OpaquePointer) {
        guard let isWanted else { return }
        while PQisBusy(handle) == 1, PQsocket(handle) >= 0 {
            // A request may arrive before the statement, so it is repeated.
            if !isWanted() { canceller.cancel() }
            _ = wait(handle, for: POLLIN, until: .now + .milliseconds(50))
            guard PQconsumeInput(handle) == 1 else { return }
        }
    }

    /// Whether the server has not closed an idle connection, without asking it; costs one system call.
    package var seemsAlive: Bool {
        guard let handle, PQstatus(handle) == CONNECTION_OK, (try? settle(waits: false)) != nil else { return false }
        if owesEnd { return true }
        var request = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        // Parameter changes and notices may have arrived, and the reason of an end; at the end libpq reports a failure.
        while poll(&request, 1, 0) != 0 {
            guard PQconsumeInput(handle) == 1, PQisBusy(handle) == 0, PQstatus(handle) == CONNECTION_OK else {
                return false
            }
        }
        return endNotice.pointee == 0
    }

    /// Whether the server answers within a time; one round trip without a statement.
    package func answers(within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        guard let handle, seemsAlive, settles(handle, until: deadline), PQenterPipelineMode(handle) == 1,
            PQpipelineSync(handle) == 1, flush(handle)
        else {
            return false
        }
        counters.addRoundTrip()
        while PQisBusy(handle) == 1 {
            guard wait(handle, for: POLLIN, until: deadline) != nil, PQconsumeInput(handle) == 1 else { return false }
        }
        guard let result = PQgetResult(handle) else { return false }
        let isSynchronized = PQresultStatus(result) == PGRES_PIPELINE_SYNC
        PQclear(result)
        return isSynchronized && PQexitPipelineMode(handle) == 1
    }

    /// Whether the reply to the end of a transaction, if the server owes it, comes in time.
    private func settles(_ handle: OpaquePointer, until deadline: ContinuousClock.Instant) -> Bool {
        while owesEnd {
            guard wait(handle, for: POLLIN, until: deadline) != nil, (try? settle(waits: false)) != nil else {
                return false
            }
        }
        return true
    }
}
