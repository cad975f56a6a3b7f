// The task manager's model, built in code, and stacks over it in new folders. Used by the framework's tests.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

enum TasksModel {
    static func attribute(
        _ name: String,
        _ type: NSAttributeType,
        optional: Bool = true,
        default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        return attribute
    }

    static func relationship(
        _ name: String,
        to destination: NSEntityDescription,
        toMany: Bool = false,
        rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = toMany ? 0 : 1
        relationship.minCount = 0
        relationship.isOptional = true
        relationship.deleteRule = rule
        relationship.isOrdered = ordered
        return relationship
    }

    static func make(
        requiredText: Bool = false,
        tasksRule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSManagedObjectModel {
        let task = NSEntityDescription()
        task.name = "Task"
        task.managedObjectClassName = NSStringFromClass(TestTask.self)
        let location = NSEntityDescription()
        location.name = "Location"
        location.managedObjectClassName = NSStringFromClass(TestLocation.self)
        let tag = NSEntityDescription()
        tag.name = "Tag"
        let toLocation = relationship("location", to: location)
        let toTasks = relationship("tasks", to: task, toMany: true, rule: tasksRule)
        toLocation.inverseRelationship = toTasks
        toTasks.inverseRelationship = toLocation
        let tags = relationship("tags", to: tag, toMany: true)
        let tagged = relationship("tagged", to: task, toMany: true)
        tags.inverseRelationship = tagged
        tagged.inverseRelationship = tags
        task.properties = [
            attribute("text", .stringAttributeType, optional: !requiredText),
            attribute("priority", .integer16AttributeType, optional: false, default: 0),
            attribute("dueDate", .dateAttributeType),
            attribute("done", .booleanAttributeType),
            attribute("weight", .doubleAttributeType),
            attribute("price", .decimalAttributeType),
            attribute("identifier", .UUIDAttributeType),
            attribute("page", .URIAttributeType),
            attribute("picture", .binaryDataAttributeType),
            toLocation, tags,
        ]
        location.properties = [attribute("name", .stringAttributeType), toTasks]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        let model = NSManagedObjectModel()
        model.entities = [task, location, tag]
        return model
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

    func tasks(_ format: String = "TRUEPREDICATE", _ arguments: Any..., sort: String = "text") throws -> [TestTask] {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
        return try fetch(request)
    }
}
