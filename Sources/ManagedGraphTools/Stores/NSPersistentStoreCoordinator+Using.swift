// A store opened for one piece of work. Used by checks of stores, migrations' forecasts and comparisons, and ManagedGraphTesting.
import Foundation
import ManagedGraph

extension NSPersistentStoreCoordinator {
    /// Opens a store, works with it on the queue of a context of its own, and closes it.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - type: Apple's name of its kind.
    ///   - model: The model.
    ///   - configuration: The configuration that the store holds; nil for the whole model.
    ///   - options: Options, by Apple's keys.
    ///   - body: Objects must not leave it.
    /// - Returns: What `body` returns.
    /// - Throws: What opening the store throws, and what `body` throws.
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
