// The stack in one object: model, coordinator and the main-queue context. Made by applications.
import Foundation
import GraphModelFiles

/// A container that sets up and holds the stack.
///
/// See [NSPersistentContainer](https://developer.apple.com/documentation/coredata/nspersistentcontainer).
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name; the store's file is called after it.
    public final let name: String
    /// The context on the main queue.
    public final let viewContext: NSManagedObjectContext
    /// The model.
    public final let managedObjectModel: NSManagedObjectModel
    /// The coordinator.
    public final let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// How `loadPersistentStores` is to add stores; one SQLite store in the default directory unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container of the model with this name.
    ///
    /// The model is one that the GenerateManagedObjects plugin has put into the program, or a `.xcdatamodeld` beside it.
    /// Stops with a sentence where there is none; `NSPersistentContainer(name:managedObjectModel:)` takes one of your own.
    ///
    /// - Parameter name: The model's and the container's name.
    public convenience init(name: String) {
        do {
            self.init(name: name, managedObjectModel: try ModelFinder.model(named: name))
        } catch {
            preconditionFailure((error as NSError).localizedDescription)
        }
    }

    /// Makes a container of a model.
    ///
    /// - Parameters:
    ///   - name: The container's name.
    ///   - model: The model; it cannot be edited afterwards.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        persistentStoreCoordinator.name = name
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        viewContext.name = "viewContext"
        persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: Self.defaultDirectoryURL().appending(path: "\(name).sqlite"))
        ]
        super.init()
    }

    /// The folder for stores: `Application Support/<program>` in the user's data folder.
    ///
    /// - Returns: The folder; it may not exist yet.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(filePath: NSTemporaryDirectory())
        return base.appending(path: ProcessInfo.processInfo.processName, directoryHint: .isDirectory)
    }

    /// Adds the stores that the descriptions tell of.
    ///
    /// - Parameter block: Called once for each description, with the error or nil.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// A new context on a queue of its own.
    ///
    /// It merges nothing by itself: set `automaticallyMergesChangesFromParent` where it is to. Apple's documentation says
    /// otherwise; programs and their tests know that Apple's framework does not.
    ///
    /// - Returns: The context; it saves straight to the stores.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block in a new context on its queue.
    ///
    /// - Parameter block: The block; it gets the context.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block in a new context on its queue and returns its result.
    ///
    /// - Parameter block: The block; it gets the context.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    nonisolated(nonsending) public func performBackgroundTask<T, Failure: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> T
    ) async throws(Failure) -> T {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> T in try block(context) }
    }
}
