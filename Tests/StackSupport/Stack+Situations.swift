// Stacks and contexts in the situations that several suites begin with.
import Foundation
import GraphSupport
import ManagedGraph
import Testing

extension Stack {
    /// Makes a stack with one location, and runs a closure in a context that has fetched it and none of its tasks.
    static func withPlace(
        tasks count: Int,
        _ body: (NSManagedObjectContext, TestLocation) throws -> Void
    ) throws -> Stack {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: count)
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            try body(context, try #require(try context.fetch(request).first))
        }
        return stack
    }

    /// Saves a location called home with tasks of these texts.
    func saveHome(tasks texts: [String], priority: Int16 = 0) throws {
        try context.run { () throws in
            let home = TestLocation(context: context)
            home.name = "home"
            for text in texts { context.task(text, priority: priority).location = home }
            try context.save()
        }
    }

    /// Creates a context of another coordinator, which opens the same file with its own options.
    func contextOfAnotherCoordinator(options: [AnyHashable: Any]) throws -> NSManagedObjectContext {
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        return other.makeContext()
    }
}
