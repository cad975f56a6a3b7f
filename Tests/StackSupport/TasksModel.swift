// The task manager's model, built in code, and stacks over it in new folders. Used by the framework's tests.
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph

enum TasksModel {
    static func make(
        requiredText: Bool = false,
        tasksRule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSManagedObjectModel {
        let task = NSEntityDescription("Task", type: TestTask.self)
        let location = NSEntityDescription("Location", type: TestLocation.self)
        let tag = NSEntityDescription("Tag")
        task.properties = [
            NSAttributeDescription("text", .stringAttributeType, optional: !requiredText),
            NSAttributeDescription("priority", .integer16AttributeType, optional: false, default: 0),
            NSAttributeDescription("dueDate", .dateAttributeType),
            NSAttributeDescription("done", .booleanAttributeType),
            NSAttributeDescription("weight", .doubleAttributeType),
            NSAttributeDescription("price", .decimalAttributeType),
            NSAttributeDescription("identifier", .UUIDAttributeType),
            NSAttributeDescription("page", .URIAttributeType),
            NSAttributeDescription("picture", .binaryDataAttributeType),
        ]
        location.properties = [NSAttributeDescription("name")]
        tag.properties = [NSAttributeDescription("name")]
        location.relate("tasks", toMany: true, to: task, "location", rule: tasksRule)
        task.relate("tags", toMany: true, to: tag, "tagged", inverseToMany: true)
        return NSManagedObjectModel([task, location, tag])
    }
}

extension NSManagedObjectContext {
    /// Runs on the context's queue and checks the context's invariants afterwards.
    func run<R>(_ body: () throws -> R) throws -> R {
        try performAndWait {
            let result = try body()
            checkInvariants(inverses: .none)
            return result
        }
    }

    func task(_ text: String, priority: Int16 = 0) -> TestTask {
        let task = TestTask(context: self)
        task.text = text
        task.priority = priority
        return task
    }

    /// A new task at a new location, both unsaved.
    func taskAtPlace(_ text: String) -> (task: TestTask, place: TestLocation) {
        let place = TestLocation(context: self)
        let task = task(text)
        task.location = place
        return (task, place)
    }

    /// Saves a new task, on the context's queue.
    @discardableResult
    func saveTask(_ text: String) throws -> TestTask {
        try run { () throws in
            let task = task(text)
            try save()
            return task
        }
    }

    /// Saves new tasks with their numbers as texts, on the context's queue.
    func saveTasks(_ count: Int) throws {
        try performAndWait { () throws in
            for number in 0..<count { _ = task("\(number)") }
            try save()
        }
    }

    func tasks(_ format: String = "TRUEPREDICATE", _ arguments: Any..., sort: String = "text") throws -> [TestTask] {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
        return try fetch(request)
    }
}
