// A stack over the task manager's model in a new folder.
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph

/// A coordinator over a new store, and contexts on it.
final class Stack {
    private let place: TestFolder
    var folder: URL { place.url }
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(
        model: NSManagedObjectModel = TasksModel.make(),
        url existing: URL? = nil,
        type: NSPersistentStore.StoreType = .sqlite
    ) throws {
        // Removed even if the store cannot be opened.
        place = try TestFolder()
        url = existing ?? place.url.appending(path: "Tasks.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: url)
        context = coordinator.makeContext()
    }

    /// The rows of a statement on a separate connection.
    func rows(_ sql: String) throws -> [[SQLValue]] {
        let connection = try Connection(path: url.path)
        return try connection.rows(sql)
    }

    /// Runs a statement on a separate connection.
    func execute(_ sql: String) throws {
        let connection = try Connection(path: url.path)
        try connection.execute(sql)
    }

    /// Saves locations named by their numbers, each with tasks named after it.
    func fill(places: Int, tasks: Int) throws {
        try context.run { () throws in
            for number in 0..<places {
                let place = TestLocation(context: context)
                place.name = "\(number)"
                for _ in 0..<tasks { context.task("t\(number)").location = place }
            }
            try context.save()
        }
    }

    /// Executes a request in the context.
    func execute<Result>(_ request: NSPersistentStoreRequest, as type: Result.Type) throws -> Result? {
        try context.performAndWait { () throws in try context.execute(request) as? Result }
    }

    /// Adds an empty store in the folder.
    func addStore(_ name: String) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: folder.appending(path: name)
        )
    }

    /// Creates another context of the same coordinator.
    func otherContext() -> NSManagedObjectContext {
        return coordinator.makeContext()
    }
}
