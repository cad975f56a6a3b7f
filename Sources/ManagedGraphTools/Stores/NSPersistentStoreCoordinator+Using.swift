// Opens a store for a single task. Used by checks of stores, migration forecasts and comparisons, and
// ManagedGraphTesting.
import Foundation
import ManagedGraph

extension NSPersistentStoreCoordinator {
    /// Opens a store, runs `body` on the queue of a new context, and closes the store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - type: Apple's name of the store type.
    ///   - model: The model.
    ///   - configuration: The configuration that the store holds; nil for the whole model.
    ///   - options: Options, by Apple's keys.
    ///   - body: Must not let objects escape.
    /// - Returns: The result of `body`.
    /// - Throws: Errors of opening the store, and errors of `body`.
    package static func using<R>(
        _ url: URL,
        type: String,
        model: NSManagedObjectModel,
        configuration: String? = nil,
        options: [AnyHashable: Any],
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type,
            configurationName: configuration,
            at: url,
            options: options
        )
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { () throws -> R in
            defer { context.reset() }
            return try body(context)
        }
        try coordinator.remove(store)
        return result
    }
}
