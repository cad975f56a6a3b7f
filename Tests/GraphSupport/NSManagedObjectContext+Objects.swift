// Contexts, and objects with a `name`. Used by tests of the framework.
import Foundation
import ManagedGraph

extension NSPersistentStoreCoordinator {
    /// A context with a queue of its own.
    package func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = self
        return context
    }
}

extension NSManagedObjectModel {
    /// Opens a store, runs `body` on the queue of a new context, and closes the store.
    package func withStore<R>(
        at url: URL,
        type: NSPersistentStore.StoreType = .sqlite,
        options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: self)
        let store = try coordinator.addPersistentStore(type: type, at: url, options: options)
        let context = coordinator.makeContext()
        let result = try context.performAndWait { () throws in try body(context) }
        try coordinator.remove(store)
        return result
    }
}

extension NSManagedObjectContext {
    /// A context whose parent is this one, with a queue of its own.
    package func makeChild() -> NSManagedObjectContext {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = self
        return child
    }

    @discardableResult
    package func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}

extension NSManagedObject {
    /// The names of a relationship's members, sorted if they have no order.
    package func names(_ key: String) -> [String] {
        func names(_ members: [Any]) -> [String] {
            members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        }
        return switch value(forKey: key) {
        case let set as NSOrderedSet: names(set.array)
        case let set as NSSet: names(set.allObjects).sorted()
        case let object as NSManagedObject: names([object])
        default: []
        }
    }
}
