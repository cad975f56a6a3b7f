// A store of tasks in locations, and delegates that record their notifications.
import Foundation
import GraphSupport
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
        context = coordinator.makeContext()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func model() -> NSManagedObjectModel {
        let task = NSEntityDescription(
            "Task",
            [
                NSAttributeDescription("text"), NSAttributeDescription("priority", .integer16AttributeType),
                NSAttributeDescription("note"),
            ],
            type: ResultTask.self
        )
        let location = NSEntityDescription("Location", [NSAttributeDescription("name")])
        task.relate("location", to: location, "tasks", inverseToMany: true)
        return NSManagedObjectModel([task, location])
    }

    @discardableResult
    func task(_ text: String, priority: Int = 0, at location: NSManagedObject? = nil) -> NSManagedObject {
        let task = context.make("Task", ["text": text, "priority": priority])
        task.setValue(location, forKey: "location")
        return task
    }

    func location(_ name: String) -> NSManagedObject {
        context.make("Location", ["name": name])
    }

    /// Saves tasks with their numbers as texts.
    func saveTasks(_ count: Int, digits: Int) throws {
        for number in 0..<count { task(String(format: "%0\(digits)d", number)) }
        try context.save()
    }

    /// A controller that has fetched, and its delegate.
    func recorded(
        sort: [String] = ["text"],
        sections: String? = nil,
        where format: String? = nil
    ) throws -> (controller: NSFetchedResultsController<ResultTask>, recorder: Recorder) {
        let controller = controller(sort: sort, sections: sections, where: format)
        let recorder = Recorder()
        controller.delegate = recorder
        try controller.performFetch()
        return (controller, recorder)
    }

    func controller(
        sort: [String] = ["text"],
        sections: String? = nil,
        where format: String? = nil
    ) -> NSFetchedResultsController<ResultTask> {
        let controller = NSFetchedResultsController(tasksOf: context, sort: sort, sections: sections)
        controller.fetchRequest.predicate = format.map { NSPredicate(format: $0) }
        return controller
    }
}

extension NSFetchedResultsController where ResultType == ResultTask {
    /// A controller over all tasks of a context.
    convenience init(tasksOf context: NSManagedObjectContext, sort: [String] = ["text"], sections: String? = nil) {
        let request = NSFetchRequest<ResultTask>(entityName: "Task")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        self.init(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sections,
            cacheName: nil
        )
    }

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
