// The connections of a store to one address. A session leases one while it talks to the server. If all are leased, the
// caller's thread blocks; blocked callers are served in the order of their calls.
import Foundation
import GraphEngine
import Synchronization

/// A bounded pool of connections.
package final class PostgreSQLPool: Sendable {
    /// A caller that waits for a connection.
    private final class Waiter: Sendable {
        enum Outcome {
            case waiting
            case connection(PostgreSQLConnection)
            /// The caller may open a connection.
            case permission
            case closed
        }

        let signal = DispatchSemaphore(value: 0)
        /// Guards the outcome.
        let outcome = Mutex(Outcome.waiting)

        /// Hands over an outcome.
        func resume(_ outcome: sending Outcome) {
            self.outcome.withLock { $0 = outcome }
            signal.signal()
        }
    }

    private struct State {
        var idle: [(connection: PostgreSQLConnection, since: ContinuousClock.Instant)] = []
        /// The leased connections, with the start of their leases.
        var leased: [ObjectIdentifier: ContinuousClock.Instant] = [:]
        /// Connections that are being opened or checked.
        var pending = 0
        var waiters: [Waiter] = []
        var isClosed = false
        /// Whether connections are closed when they are returned.
        var isRetired = false

        var count: Int { idle.count + leased.count + pending }
    }

    /// The next step of a lease: decided under the lock, and done without it, as it may take seconds.
    private enum Step {
        case check(PostgreSQLConnection, idleFor: Duration)
        case open
        case wait(Waiter)
        case closed
    }

    package let address: DatabaseAddress
    /// The greatest number of connections.
    package let limit: Int
    package let counters: PostgreSQLCounters
    /// Called for each connection that is opened, before its first lease.
    private let prepare: @Sendable (PostgreSQLConnection) throws -> Void
    /// Guards the lists of connections and waiters; never held while the server is asked.
    private let state = UnfairMutex(State())
    /// The time after which an idle connection is asked whether it still works.
    private let checkedAfter: Duration

    /// Creates a pool without connections.
    ///
    /// - Parameters:
    ///   - address: The database, with the greatest number of connections and the time to wait.
    ///   - counters: Counts the connections' work.
    ///   - checkedAfter: The time after which an idle connection is asked whether it still works.
    ///   - prepare: Called for each connection that is opened, for example to attach an observer.
    package init(
        _ address: DatabaseAddress,
        counters: PostgreSQLCounters = PostgreSQLCounters(),
        checkedAfter: Duration = .seconds(30),
        prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) {
        self.address = address
        limit = address.poolSize
        self.counters = counters
        self.checkedAfter = checkedAfter
        self.prepare = prepare
    }

    deinit { close() }

    /// The number of leased connections.
    package var leasedCount: Int { state.withLock { $0.leased.count } }
    /// The number of connections.
    package var count: Int { state.withLock(\.count) }
    /// The number of callers that wait.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Leases a connection, which must be returned with `giveBack`; waits if all are leased.
    ///
    /// - Parameter timeout: How long to wait; nil for the address's `timeout`.
    /// - Returns: A connection outside of a transaction.
    /// - Throws: `EngineError` of the kind `busy` if none became free in time, `closed` if the pool is closed, or the
    ///   error of a connection that cannot be opened.
    package func lease(timeout: Duration? = nil) throws -> PostgreSQLConnection {
        let deadline = ContinuousClock.now + (timeout ?? address.timeout)
        var step = nextStep()
        while true {
            switch step {
            case .check(let connection, let idleTime):
                let isUsable =
                    idleTime < checkedAfter ? connection.seemsAlive : connection.answers(within: .seconds(5))
                if isUsable, take(connection) { return connection }
                connection.close()
                // Others may be dead too, for example after a restart of the server: each is checked before it is used.
                step = replace()
            case .open: return try open()
            case .closed: throw closedError
            case .wait(let waiter):
                switch try outcome(of: waiter, until: deadline, timeout: timeout ?? address.timeout) {
                case .connection(let connection):
                    if connection.seemsAlive { return connection }
                    drop(connection)
                    step = nextStep()
                case .permission: return try open()
                case .closed, .waiting: throw closedError
                }
            }
        }
    }

    /// Returns a connection.
    ///
    /// A transaction that is open is rolled back; a connection that is broken is dropped.
    package func giveBack(_ connection: PostgreSQLConnection) {
        if connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
        guard connection.transactionState == .none else { return drop(connection) }
        let (waiter, isKept) = state.withLock { state -> (Waiter?, Bool) in
            let key = ObjectIdentifier(connection)
            guard state.leased[key] != nil, !state.isClosed else {
                state.leased[key] = nil
                return (nil, false)
            }
            if !state.waiters.isEmpty {
                state.leased[key] = .now
                return (state.waiters.removeFirst(), true)
            }
            state.leased[key] = nil
            if state.isRetired { return (nil, false) }
            state.idle.append((connection, .now))
            return (nil, true)
        }
        waiter?.resume(.connection(connection))
        if !isKept { connection.close() }
    }

    /// Leases a connection for `body`.
    ///
    /// - Throws: The error of `lease` or of `body`.
    package func withConnection<R>(timeout: Duration? = nil, _ body: (PostgreSQLConnection) throws -> R) throws -> R {
        let connection = try lease(timeout: timeout)
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Closes all idle connections, and leased ones when they are returned; callers that wait fail.
    package func close() {
        let (connections, waiters) = state.withLock { state in
            state.isClosed = true
            defer {
                state.idle = []
                state.waiters = []
            }
            return (state.idle.map(\.connection), state.waiters)
        }
        for connection in connections { connection.close() }
        for waiter in waiters { waiter.resume(.closed) }
    }

    /// Closes the idle connections, for example because the server has a new role; leased ones stay.
    package func closeIdle() {
        let connections = state.withLock { state in
            defer { state.idle = [] }
            return state.idle.map(\.connection)
        }
        for connection in connections { connection.close() }
    }

    /// Closes the idle connections, and all others when they are returned; more can be leased.
    package func retire() {
        state.withLock { $0.isRetired = true }
        closeIdle()
    }

    // MARK: Steps

    private func nextStep() -> Step {
        state.withLock { state in
            if state.isClosed { return .closed }
            // The connection that was used last is the likeliest to work, and the others can be closed by the server.
            if let last = state.idle.popLast() {
                state.pending += 1
                return .check(last.connection, idleFor: .now - last.since)
            }
            if state.count < limit {
                state.pending += 1
                return .open
            }
            let waiter = Waiter()
            state.waiters.append(waiter)
            return .wait(waiter)
        }
    }

    /// Makes a checked connection a leased one; false if the pool has been closed in the meantime.
    private func take(_ connection: PostgreSQLConnection) -> Bool {
        state.withLock { state in
            state.pending -= 1
            if state.isClosed {
                state.pending += 1
                return false
            }
            state.leased[ObjectIdentifier(connection)] = .now
            return true
        }
    }

    /// The step after an idle connection turned out to be dead: another idle one, or a new one.
    private func replace() -> Step {
        state.withLock { state in
            if state.isClosed {
                state.pending -= 1
                return .closed
            }
            guard let last = state.idle.popLast() else { return .open }
            return .check(last.connection, idleFor: .now - last.since)
        }
    }

    /// Opens a connection in a place that was reserved for it.
    private func open() throws -> PostgreSQLConnection {
        do {
            let connection = try EngineError.mappingPostgreSQL {
                let connection = try PostgreSQLConnection(address, counters: counters)
                try prepare(connection)
                return connection
            }
            guard take(connection) else {
                connection.close()
                throw closedError
            }
            return connection
        } catch {
            let waiter = state.withLock { state in
                state.pending -= 1
                return passOnPlace(&state)
            }
            waiter?.resume(.permission)
            throw error
        }
    }

    /// Removes a leased connection, so that a waiting caller can open another.
    private func drop(_ connection: PostgreSQLConnection) {
        connection.close()
        let waiter = state.withLock { state in
            state.leased[ObjectIdentifier(connection)] = nil
            return passOnPlace(&state)
        }
        waiter?.resume(.permission)
    }

    /// Reserves a free place for the first waiting caller, which it returns.
    private func passOnPlace(_ state: inout State) -> Waiter? {
        guard !state.isClosed, !state.waiters.isEmpty, state.count < limit else { return nil }
        state.pending += 1
        return state.waiters.removeFirst()
    }

    // MARK: Waiting

    private func outcome(
        of waiter: Waiter,
        until deadline: ContinuousClock.Instant,
        timeout: Duration
    ) throws -> Waiter.Outcome {
        let remaining = max(.zero, deadline - .now)
        let milliseconds =
            remaining.components.seconds * 1_000 + remaining.components.attoseconds / 1_000_000_000_000_000
        if waiter.signal.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .timedOut {
            let failure = state.withLock { state -> EngineError? in
                guard let place = state.waiters.firstIndex(where: { $0 === waiter }) else { return nil }
                state.waiters.remove(at: place)
                return busyError(state, timeout)
            }
            if let failure { throw failure }
            // A connection was handed over at the last moment.
            waiter.signal.wait()
        }
        return waiter.outcome.withLock { $0 }
    }

    private func busyError(_ state: State, _ timeout: Duration) -> EngineError {
        let longest = state.leased.values.min().map { ContinuousClock.now - $0 } ?? .zero
        let seconds = { (duration: Duration) in
            duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
        }
        return EngineError(
            .busy,
            "No connection to \(address) became free within \(seconds(timeout)).",
            reason:
                "All \(state.leased.count) of \(limit) connections are in use, the longest for \(seconds(longest)); \(state.waiters.count) other callers wait.",
            remedy: "Raise pool= or timeout= in the address, or let contexts do less in one block."
        )
    }

    private var closedError: EngineError {
        EngineError(.closed, "The store at \(address) is closed.", remedy: "Add the store to the coordinator again.")
    }
}
