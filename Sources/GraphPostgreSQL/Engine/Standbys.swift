// The standbys that a store reads from (`readers=`). A reader must see the saves of its own store, those that the
// store's watch has reported, and those in the history that was read: a reader waits for a standby that has not replayed
// the log so far, and then reads from the primary. Owned by PostgreSQLEngine, used by PostgreSQLReader.
import Foundation
import GraphEngine
import GraphSQL
import Synchronization

/// The standbys of a store.
final class Standbys: Sendable {
    /// A standby with its state.
    final class Standby: Sendable {
        let pool: PostgreSQLPool
        /// The position up to which it is known to have replayed the primary's log.
        fileprivate let replayed: ReplayedPosition
        /// The time before which it is not asked again; guards it.
        fileprivate let leftOutUntil = Mutex<ContinuousClock.Instant?>(nil)

        fileprivate init(_ pool: PostgreSQLPool, _ replayed: ReplayedPosition) {
            self.pool = pool
            self.replayed = replayed
        }

        fileprivate var isLeftOut: Bool { leftOutUntil.withLock { $0.map { .now < $0 } ?? false } }
    }

    /// The position up to which a standby is known to have replayed the log; 0 as long as it was not asked.
    fileprivate final class ReplayedPosition: Sendable {
        let value = Atomic<Int64>(0)
    }

    /// The time for which a reader waits for a standby to replay the log far enough.
    private static let patience = Duration.milliseconds(30)
    /// The time for which a standby that failed is not used.
    private static let absence = Duration.seconds(2)
    /// The position in the log that the server of the address has reached, as a number.
    static let writtenPosition = SQLStatement(
        "SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() "
            + "ELSE pg_current_wal_insert_lsn() END, '0/0')::int8"
    )
    /// The position up to which a standby has replayed the log; NULL for a promoted standby, which has a different log.
    private static let replayedPosition = SQLStatement(
        "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 WHERE pg_is_in_recovery()"
    )

    private let standbys: [Standby]
    /// The number of readers so far: they take turns.
    private let turn = Atomic<Int>(0)
    /// The position up to which readers must see the log.
    private let needed = Atomic<Int64>(0)

    /// Nil if the address names no standbys.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the standbys.
    ///   - makePool: Makes the connections to an address; it receives a closure to call with each new connection.
    init?(
        _ addresses: [DatabaseAddress],
        _ makePool: (DatabaseAddress, @escaping @Sendable (PostgreSQLConnection) throws -> Void) -> PostgreSQLPool
    ) {
        if addresses.isEmpty { return nil }
        standbys = addresses.map { address in
            let replayed = ReplayedPosition()
            let pool = makePool(address) { connection in
                guard connection.facts.isStandby else { throw Standbys.noStandby(connection) }
                // The server may have been replaced by another copy of the primary since the last connection.
                replayed.value.store(0, ordering: .releasing)
            }
            return Standby(pool, replayed)
        }
    }

    /// Requires readers to see the log up to a position.
    func require(_ position: Int64) { needed.max(position, ordering: .releasing) }

    /// A connection to a standby that has replayed the log as far as readers must see it; nil if there is none.
    func lease(_ log: (String) -> Void) -> (standby: Standby, connection: PostgreSQLConnection)? {
        let first = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        for place in standbys.indices {
            let standby = standbys[(first + place) % standbys.count]
            if standby.isLeftOut { continue }
            do {
                let connection = try standby.pool.lease(timeout: .seconds(1))
                do {
                    if try waits(standby, connection) { return (standby, connection) }
                    standby.pool.giveBack(connection)
                } catch {
                    standby.pool.giveBack(connection)
                    throw error
                }
            } catch {
                leaveOut(standby)
                log("A standby is left out for \(Self.absence): \(error)")
            }
        }
        return nil
    }

    /// Leaves a standby out for a while, because it has failed.
    func leaveOut(_ standby: Standby) {
        standby.leftOutUntil.withLock { $0 = .now + Self.absence }
        // It may come back as another copy of the primary.
        standby.replayed.value.store(0, ordering: .releasing)
        standby.pool.closeIdle()
    }

    func close() { for standby in standbys { standby.pool.close() } }

    /// Waits until a standby has replayed the log far enough; false if it does not in time.
    ///
    /// Throws `PostgreSQLError` for a server that is not a standby.
    private func waits(_ standby: Standby, _ connection: PostgreSQLConnection) throws -> Bool {
        if connection.isPromoted { throw Self.noStandby(connection) }
        let needed = needed.load(ordering: .acquiring)
        if standby.replayed.value.load(ordering: .acquiring) >= needed { return true }
        let deadline = ContinuousClock.now + Self.patience
        var pause = 250
        while true {
            let result = try connection.execute(Self.replayedPosition)
            guard result.count == 1, let replayed = try result.integer(0, 0) else {
                throw Self.noStandby(connection)
            }
            standby.replayed.value.max(replayed, ordering: .releasing)
            if replayed >= needed { return true }
            guard ContinuousClock.now < deadline else { return false }
            usleep(UInt32(pause))
            pause *= 2
        }
    }

    /// The error for a server that was promoted, or never was a standby.
    private static func noStandby(_ connection: PostgreSQLConnection) -> PostgreSQLError {
        PostgreSQLError(state: "57P03", message: "\(connection.address) is not a standby")
    }
}

extension PostgreSQLError {
    /// Whether another server may answer: this one is gone, or gives reading up in favour of replaying the log.
    var concernsStandby: Bool {
        switch kind {
        case .connectionLost, .cannotConnect, .serialization, .deadlock, .tooManyConnections: true
        default: false
        }
    }
}
