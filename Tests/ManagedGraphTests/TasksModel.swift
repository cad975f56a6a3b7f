// The task manager's model, built in code, and stacks over it in new folders. Used by the framework's tests.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A task, handwritten like a generated class.
final class TestTask: NSManagedObject {
    enum Keys {
        static let text = ManagedProperty("text")
        static let priority = ManagedProperty("priority")
        static let dueDate = ManagedProperty("dueDate")
        static let location = ManagedProperty("location")
        static let weight = ManagedProperty("weight")
    }
    var weight: Double {
        get { managedValue(for: Keys.weight) }
        set { setManagedValue(newValue, for: Keys.weight) }
    }
    var text: String? {
        get { managedValue(for: Keys.text) }
        set { setManagedValue(newValue, for: Keys.text) }
    }
    var priority: Int16 {
        get { managedValue(for: Keys.priority) }
        set { setManagedValue(newValue, for: Keys.priority) }
    }
    var dueDate: Date? {
        get { managedValue(for: Keys.dueDate) }
        set { setManagedValue(newValue, for: Keys.dueDate) }
    }
    var location: TestLocation? {
        get { managedValue(for: Keys.location) }
        set { setManagedValue(newValue, for: Keys.location) }
    }
    /// The callbacks in order.
    var calls: [String] = []
    override func awakeFromInsert() { calls.append("awakeFromInsert") }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { calls.append("awake \(flags.rawValue)") }
    override func awakeFromFetch() { calls.append("awakeFromFetch") }
    var onWillSave: ((TestTask) -> Void)?
    override func willSave() {
        calls.append("willSave")
        onWillSave?(self)
    }
    override func didSave() { calls.append("didSave") }
    override func willTurnIntoFault() { calls.append("willTurnIntoFault \(primitiveValue(forKey: "text") ?? "nil")") }
    override func didTurnIntoFault() { calls.append("didTurnIntoFault") }
    override func prepareForDeletion() { calls.append("prepareForDeletion") }
    override func validateForInsert() throws {
        try super.validateForInsert()
        if priority == 9 { throw NSError(domain: "test", code: 9) }
    }
}

final class TestLocation: NSManagedObject {
    enum Keys {
        static let name = ManagedProperty("name")
        static let tasks = ManagedProperty("tasks")
    }
    var name: String? {
        get { managedValue(for: Keys.name) }
        set { setManagedValue(newValue, for: Keys.name) }
    }
    var tasks: NSSet? {
        get { managedValue(for: Keys.tasks) }
        set { setManagedValue(newValue, for: Keys.tasks) }
    }
}

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

/// A coordinator over a new store, and contexts on it.
final class Stack {
    let folder: URL
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(model: NSManagedObjectModel = TasksModel.make(), url existing: URL? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = existing ?? folder.appending(path: "Tasks.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

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

    /// Creates another context of the same coordinator.
    func otherContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
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
