// Collects the activity of a coordinator, for tests. Beside `ActivityTests`.
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization

/// The events of an observation, in the order of their delivery.
final class ActivityLog: Sendable {
    private let collected = Mutex<[StoreActivity]>([])
    private let running = Mutex<ActivityObservation?>(nil)

    init() {}

    /// Observes from now on.
    init(_ coordinator: NSPersistentStoreCoordinator) { observe(coordinator) }

    func observe(_ coordinator: NSPersistentStoreCoordinator) {
        let observation = coordinator.observeActivity { [weak self] in self?.add($0) }
        running.withLock { $0 = observation }
    }

    func add(_ activity: StoreActivity) { collected.withLock { $0.append(activity) } }

    func cancel() { running.withLock { $0 }?.cancel() }

    /// Ends the observation by releasing it.
    func release() { running.withLock { $0 = nil } }

    func clear() { collected.withLock { $0 = [] } }

    var events: [StoreActivity] { collected.withLock { $0 } }

    var statements: [StoreActivity.Statement] {
        events.compactMap { if case .statement(let statement) = $0 { statement } else { nil } }
    }

    var faults: [StoreActivity.FiredFault] {
        events.compactMap { if case .faultFired(let fault) = $0 { fault } else { nil } }
    }

    var saves: [StoreActivity.FinishedSave] {
        events.compactMap { if case .saveFinished(let save) = $0 { save } else { nil } }
    }

    /// The distinct causes of statements in the order of their first occurrence, without snapshots.
    var causes: [String] {
        var seen: Set<String> = ["snapshot"]
        return statements.map(\.cause.description).filter { seen.insert($0).inserted }
    }

    /// The texts of the statements with a cause.
    func texts(_ cause: String) -> [String] {
        statements.filter { $0.cause.description == cause }.map(\.text)
    }
}
