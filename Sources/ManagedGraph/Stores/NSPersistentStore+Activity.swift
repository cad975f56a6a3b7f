// Passes the statements of a store's engine on to the observers of its coordinator.
import Foundation
import GraphEngine
import GraphSQL

extension NSPersistentStore {
    /// The monitor of the store's connections.
    ///
    /// Stores that a migration opens belong to coordinators of their own; their statements are reported as those of
    /// the migrated store.
    package final func makeMonitor() -> StatementMonitor? {
        if let outer = StatementMonitor.ofNewConnections { return outer }
        guard let center = persistentStoreCoordinator?.activity else { return nil }
        let handle = handle
        return StatementMonitor(
            center.observation,
            record: { event in
                guard let store = handle.object(as: NSPersistentStore.self) else { return }
                ActivityRecorder.record(event, of: store, for: center)
            },
            deliver: { ActivityRecorder.deliver() }
        )
    }

    /// Runs an operation that opens connections of the store, whose monitor is given.
    package final func observed<R>(
        _ cause: StoreActivity.Cause,
        _ monitor: StatementMonitor?,
        _ body: () throws -> R
    ) rethrows -> R {
        guard let monitor, monitor.isOn else { return try body() }
        return try ActivityRecorder.run(ActivityScope(cause)) { try monitor.monitoringNewConnections(body) }
    }
}
