// The events beneath a coordinator's contexts, as values. Recorded by contexts and stores, delivered to handlers of
// NSPersistentStoreCoordinator.observeActivity; Documentation/Diagnosis.md shows how.
import Foundation

/// An event beneath a coordinator's contexts: a statement that a store has run, a fault that was filled, a save.
///
/// Observe events with ``NSPersistentStoreCoordinator/observeActivity(recordsValues:_:)`` or
/// ``NSPersistentStoreCoordinator/activities(bufferingNewest:)``. An event consists of values and may be kept and sent
/// to any thread.
public enum StoreActivity: Sendable {
    /// A SQLite or in-memory store has run a statement.
    case statement(Statement)
    /// A fault has received its values from a store.
    case faultFired(FiredFault)
    /// A context has saved changes.
    case saveFinished(FinishedSave)
}

extension StoreActivity {
    /// The context that caused the event; nil for work without a context, such as opening a store.
    public var context: Context? {
        switch self {
        case .statement(let statement): statement.context
        case .faultFired(let fault): fault.context
        case .saveFinished(let save): save.context
        }
    }
}
