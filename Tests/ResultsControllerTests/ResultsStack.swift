// A store of tasks in locations, and delegates that record their notifications.
import Foundation
import ManagedGraph

/// A fresh SQLite store with one context.
final class ResultsStack {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    private let folder: URL

    /// Makes a store; an in-memory one is faster for tests with many saves.
    init(inMemory: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "results-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: inMemory ? NSInMemoryStoreType : NSSQLiteStoreType,
            configurationName: nil,
            at: inMemory ? nil : folder.appending(path: "Results.sqlite")
        )
        context = Self.makeContext(coordinator)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func makeContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func model() -> NSManagedObjectModel {
        let task = NSEntityDescription()
        task.name = "Task"
        task.managedObjectClassName = NSStringFromClass(ResultTask.self)
        let location = NSEntityDescription()
        location.name = "Location"
        let toLocation = NSRelationshipDescription()
        toLocation.name = "location"
        toLocation.destinationEntity = location
        let toTasks = NSRelationshipDescription()
        toTasks.name = "tasks"
        toTasks.destinationEntity = task
        toTasks.maxCount = 0
        toLocation.inverseRelationship = toTasks
        toTasks.inverseRelationship = toLocation
        task.properties = [
            attribute("text", .stringAttributeType), attribute("priority", .integer16AttributeType),
            attribute("note", .stringAttributeType), toLocation,
        ]
        location.properties = [attribute("name", .stringAttributeType), toTasks]
        let model = NSManagedObjectModel()
        model.entities = [task, location]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    @discardableResult
    func task(_ text: String, priority: Int = 0, at location: NSManagedObject? = nil) -> NSManagedObject {
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(text, forKey: "text")
        task.setValue(priority, forKey: "priority")
        task.setValue(location, forKey: "location")
        return task
    }

    func location(_ name: String) -> NSManagedObject {
        let location = NSEntityDescription.insertNewObject(forEntityName: "Location", into: context)
        location.setValue(name, forKey: "name")
        return location
    }

    func controller(
        sort: [String] = ["text"],
        sections: String? = nil,
        where format: String? = nil
    ) -> NSFetchedResultsController<ResultTask> {
        let request = NSFetchRequest<ResultTask>(entityName: "Task")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = format.map { NSPredicate(format: $0) }
        return NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sections,
            cacheName: nil
        )
    }
}

extension NSFetchedResultsController where ResultType == ResultTask {
    /// `section: text text | section: text`.
    var picture: String {
        (sections ?? []).map { section in
            let objects = (section.objects ?? []).compactMap { $0 as? NSManagedObject }
            let texts = objects.compactMap { $0.value(forKey: "text") as? String }
            return "\(section.name): \(texts.joined(separator: " "))"
        }
        .joined(separator: " | ")
    }
}
