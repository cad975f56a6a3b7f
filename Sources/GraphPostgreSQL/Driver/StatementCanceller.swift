// Ends the running statement of a connection from another thread. Each connection has one; callers that wait for the
// connection's thread keep it.
import CPostgreSQL
import Synchronization

/// Cancels the statements of one connection.
package final class StatementCanceller: Sendable {
    // Unchecked: libpq's request is immutable and belongs to this object alone.
    private struct State: @unchecked Sendable {
        /// libpq's request; nil once the connection is closed.
        var request: OpaquePointer?
        var isRunning = false
    }

    /// Guards the request, and keeps the next statement from starting while the request for this one is on its way.
    private let state: Mutex<State>

    init(_ connection: OpaquePointer) {
        state = Mutex(State(request: PQgetCancel(connection)))
    }

    /// Asks the server to end the running statement, which then throws an error of the kind `cancelled`.
    ///
    /// May be called on any thread. Waits for the server to have received the request, which has no effect if it arrives
    /// before the statement: repeat it until the statement has ended.
    ///
    /// - Returns: Whether a statement was running and the request was sent.
    @discardableResult
    package func cancel() -> Bool {
        state.withLock { state in
            guard state.isRunning, let request = state.request else { return false }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) {
                PQcancel(request, $0.baseAddress, 256) == 1
            }
        }
    }

    func statementBegins() { state.withLock { $0.isRunning = true } }

    func statementEnded() { state.withLock { $0.isRunning = false } }

    func close() {
        state.withLock { state in
            PQfreeCancel(state.request)
            state.request = nil
            state.isRunning = false
        }
    }

    deinit { close() }
}
