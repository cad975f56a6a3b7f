// The whole stack in one object: model, coordinator and main-queue context. Created by applications.
import Foundation
import GraphEngine
import GraphModelFiles
import Synchronization

/// A container that sets up and holds the stack.
///
/// See [NSPersistentContainer](https://developer.apple.com/documentation/coredata/nspersistentcontainer).
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name, after which the store's file is named.
    open private(set) var name: String
    /// The context on the main queue.
    open private(set) var viewContext: NSManagedObjectContext
    /// The model.
    open private(set) var managedObjectModel: NSManagedObjectModel
    /// The coordinator.
    open private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The stores that `loadPersistentStores` adds; one SQLite store in the default directory unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get {
            if let descriptions = descriptions.withLock({ $0.value }) { return descriptions }
            let url = Self.defaultDirectoryURL().appending(path: "\(name).sqlite")
            let description = UnsafeTransfer(NSPersistentStoreDescription(url: url))
            return descriptions.withLock { descriptions in
                if descriptions.value == nil { descriptions.value = [description.value] }
                return UnsafeTransfer(descriptions.value ?? [])
            }.value
        }
        set {
            let new = UnsafeTransfer(newValue)
            descriptions.withLock { $0 = UnsafeTransfer(new.value) }
        }
    }
    /// The descriptions; nil until they are set or read, as finding the default directory takes longer than opening a
    /// store.
    private let descriptions = Mutex(UnsafeTransfer<[NSPersistentStoreDescription]?>(nil))

    /// Makes a container for the model with this name.
    ///
    /// The model is one that the GenerateManagedObjects plugin compiled in, or else a model file of this name in the
    /// program's folder or in a resource bundle there.
    /// Traps with a message if there is none; `NSPersistentContainer(name:managedObjectModel:)` accepts any model.
    ///
    /// - Parameter name: The name of the model and of the container.
    public convenience init(name: String) {
        do {
            self.init(name: name, managedObjectModel: try ModelFinder.model(named: name))
        } catch {
            preconditionFailure(CoreDataError.stopMessage(error))
        }
    }

    /// Makes a container for a model.
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
        super.init()
    }

    /// Creates the folder for stores: `Application Support/<program>` in the user's data folder.
    ///
    /// - Returns: The folder; it does not exist if it could not be created.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(filePath: NSTemporaryDirectory())
        let folder = base.appending(path: ProcessInfo.processInfo.processName, directoryHint: .isDirectory)
        // Adding a store to a folder that cannot be created reports the cause.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Adds the stores of `persistentStoreDescriptions`.
    ///
    /// - Parameter block: Called once for each description, with the error or nil.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// Makes a context with its own queue.
    ///
    /// It does not merge changes by itself: set `automaticallyMergesChangesFromParent` if it should. Apple's
    /// documentation says otherwise, but Apple's framework behaves this way, and programs and their tests rely on it.
    ///
    /// - Returns: The context, which saves directly to the stores.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block in a new context on its queue.
    ///
    /// - Parameter block: The block, which receives the context.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block in a new context on its queue and returns its result.
    ///
    /// - Parameter block: The block, which receives the context.
    /// - Returns: The result of the block.
    /// - Throws: The error that the block throws.
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<T, Failure: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> T
    ) async throws(Failure) -> T {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> T in try block(context) }
    }
}
