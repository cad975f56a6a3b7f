// The standbys that a store reads from (`readers=`). A reader must see the saves of its own store and those that the store's
// watch has reported: a standby that has not replayed the log so far is waited for, then left alone in favour of the
// primary. Owned by PostgreSQLEngine, used by PostgreSQLReader.
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
        fileprivate let replayed = Atomic<Int64>(0)
        /// The time before which it is not asked again; guards it.
        fileprivate let leftOutUntil = Mutex<ContinuousClock.Instant?>(nil)

        fileprivate init(_ pool: PostgreSQLPool) { self.pool = pool }

        fileprivate var isLeftOut: Bool { leftOutUntil.withLock { $0.map { .now < $0 } ?? false } }
    }

    /// How long a reader waits for a standby to replay the log far enough.
    private static let patience = Duration.milliseconds(30)
    /// How long a standby that failed is left out.
    private static let absence = Duration.seconds(2)
    /// The position in the log that the primary has reached, as a number.
    static let writtenPosition = SQLStatement("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::int8")
    /// The position up to which a standby has replayed the log; NULL for one that was promoted, whose log is another one.
    private static let replayedPosition = SQLStatement(
        "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 WHERE pg_is_in_recovery()"
    )

    private let standbys: [Standby]
    /// The number of readers so far: they take turns.
    private let turn = Atomic<Int>(0)
    /// The position up to which readers must see the log.
    private let needed = Atomic<Int64>(0)

    /// Nil if the address names no standbys.
    init?(_ addresses: [DatabaseAddress], _ makePool: (DatabaseAddress) -> PostgreSQLPool) {
        if addresses.isEmpty { return nil }
        standbys = addresses.map { Standby(makePool($0)) }
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
        standby.pool.closeIdle()
    }

    func close() { for standby in standbys { standby.pool.close() } }

    /// Waits until a standby has replayed the log far enough; false if it does not in time.
    private func waits(_ standby: Standby, _ connection: PostgreSQLConnection) throws -> Bool {
        let needed = needed.load(ordering: .acquiring)
        if standby.replayed.load(ordering: .acquiring) >= needed { return true }
        let deadline = ContinuousClock.now + Self.patience
        var pause = 250
        while true {
            let result = try connection.execute(Self.replayedPosition)
            guard result.count == 1, let replayed = try result.integer(0, 0) else {
                throw PostgreSQLError(state: "57P03", message: "\(connection.address) is no standby any more")
            }
            standby.replayed.max(replayed, ordering: .releasing)
            if replayed >= needed { return true }
            guard ContinuousClock.now < deadline else { return false }
            usleep(UInt32(pause))
            pause *= 2
        }
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
