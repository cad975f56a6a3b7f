// A coordinator of OverriddenMethodTests.
import Foundation
import ManagedGraph

/// Records the calls of its methods.
final class RecordingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: [String] = []
    var failure: (any Error)?

    override func addPersistentStore(
        ofType storeType: String,
        configurationName configuration: String?,
        at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        calls.append("add")
        if let failure { throw failure }
        return try super.addPersistentStore(
            ofType: storeType,
            configurationName: configuration,
            at: storeURL,
            options: options
        )
    }
    override func remove(_ store: NSPersistentStore) throws {
        calls.append("remove")
        try super.remove(store)
    }
    override func destroyPersistentStore(
        at url: URL,
        ofType storeType: String,
        options: [AnyHashable: Any]? = nil
    ) throws {
        calls.append("destroy")
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore,
        to url: URL,
        options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        calls.append("migrate")
        return try super.migratePersistentStore(store, to: url, options: options, withType: storeType)
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        calls.append("identifier")
        return super.managedObjectID(forURIRepresentation: url)
    }
}
