// One rehearsal or migration of a store at a time, on a separate thread, with its progress. Owned by MigrateSection.
import Foundation
import GraphUpkeep
import Synchronization
import WebSupport

final class MigrateJob: Sendable {
    /// The maximum number of objects that are listed.
    static let limit = 500

    enum Kind: String, Encodable, Sendable {
        case rehearsal, migration
    }

    enum Phase: String, Encodable, Sendable {
        case idle, running, done, failed, cancelled
    }

    /// The state of the job, for a page.
    struct Report: Encodable, Sendable {
        var kind = Kind.rehearsal
        var phase = Phase.idle
        /// From 0 to 1.
        var fraction = 0.0
        var destination = ""
        /// The first objects that differ, and the number of all.
        var differences: [StoreMigration.Difference] = []
        var differenceCount = 0
        var rehearsal: StoreMigration.Rehearsal?
        /// The steps that were done.
        var steps: Int?
        var backup: String?
        var seconds = 0.0
        var error: StudioError?
    }

    private struct State {
        var report = Report()
        var isWanted = true
    }

    private let state = Mutex(State())

    var report: Report { state.withLock { $0.report } }

    /// Begins; another job must not be running.
    ///
    /// `ended` is called once the migration does not use the store any more, before the report says so.
    func start(
        _ kind: Kind,
        _ migration: StoreMigration,
        backup: URL?,
        ended: @escaping @Sendable () -> Void = {}
    ) throws -> Report {
        let report = try state.withLock { state -> Report in
            guard state.report.phase != .running else {
                throw StudioError(
                    "A \(state.report.kind.rawValue) of this store is running.",
                    remedy: "Wait for its end, or cancel it.",
                    status: .conflict
                )
            }
            state = State()
            state.report.kind = kind
            state.report.phase = .running
            state.report.destination = migration.destination
            return state.report
        }
        Thread.detachNewThread { [self] in work(kind, migration, backup, ended) }
        return report
    }

    func cancel() { state.withLock { $0.isWanted = false } }

    private func work(_ kind: Kind, _ migration: StoreMigration, _ backup: URL?, _ ended: () -> Void) {
        let began = ContinuousClock.now
        do {
            switch kind {
            case .rehearsal:
                let rehearsal = try migration.rehearse(
                    progress: { try note($0) },
                    difference: { try note($0) },
                    isWanted: { self.isWanted }
                )
                change { $0.rehearsal = rehearsal }
            case .migration:
                defer { ended() }
                let steps = try migration.run(backup: backup, progress: { try note($0) }, isWanted: { self.isWanted })
                change {
                    $0.steps = steps
                    $0.backup = steps > 0 ? backup?.path : nil
                }
            }
            change {
                $0.phase = .done
                $0.fraction = 1
            }
        } catch is CancellationError {
            change { $0.phase = .cancelled }
        } catch {
            let error = StudioError(error)
            change {
                $0.phase = .failed
                $0.error = error
            }
        }
        let duration = ContinuousClock.now - began
        change { $0.seconds = Double(duration.microseconds) / 1e6 }
    }

    private var isWanted: Bool { state.withLock { $0.isWanted } }

    private func change(_ body: (inout Report) -> Void) { state.withLock { body(&$0.report) } }

    private func note(_ fraction: Double) throws {
        guard isWanted else { throw CancellationError() }
        change { $0.fraction = fraction }
    }

    private func note(_ difference: StoreMigration.Difference) throws {
        guard isWanted else { throw CancellationError() }
        change {
            $0.differenceCount += 1
            if $0.differences.count < Self.limit { $0.differences.append(difference) }
        }
    }
}
