// Samples of fetch requests and results controllers that are cast from one result type to another.
extension Sample {
    static let requests = [
        Sample(
            rule: "fetch-request-cast",
            before: """
                import CoreData

                class Task: NSManagedObject {}
                final class OwnStore: NSIncrementalStore {
                    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
                        switch request {
                        case let request as NSFetchRequest<NSFetchRequestResult>:
                            // All of them.
                            return found(request.entityName)
                        case var other as NSFetchRequest<Task>: return found(other.entityName)
                        case is NSFetchRequest<NSManagedObjectID>: return []
                        case is NSSaveChangesRequest: return []
                        default: break
                        }
                        if case let request as NSFetchRequest<NSManagedObject> = request { return found(request.entityName) }
                        guard let task = request as? NSFetchRequest<Task>, !(request is NSFetchRequest<NSNumber>) else { return [] }
                        return found(task.entityName)
                    }
                    func found(_ name: String?) -> [Any] { [] }
                }
                func urgent(_ model: NSManagedObjectModel) -> NSFetchRequest<Task> {
                    model.fetchRequestTemplate(forName: "urgent") as! NSFetchRequest<Task>
                }
                func open(_ model: NSManagedObjectModel) -> NSFetchRequest<Task>? {
                    model.fetchRequestTemplate(forName: "open")?.copy() as? NSFetchRequest<Task>
                }
                func plain(_ model: NSManagedObjectModel) -> NSFetchRequest<NSFetchRequestResult>? {
                    model.fetchRequestTemplate(forName: "open")?.copy() as? NSFetchRequest<NSFetchRequestResult>
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {}
                final class OwnStore: NSIncrementalStore {
                    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
                        switch request {
                        case _ where castFetchRequest(request, to: NSFetchRequest<NSFetchRequestResult>.self) != nil:
                            // All of them.
                            let request = castFetchRequest(request, to: NSFetchRequest<NSFetchRequestResult>.self)!
                            return found(request.entityName)
                        case _ where castFetchRequest(request, to: NSFetchRequest<Task>.self) != nil:
                            var other = castFetchRequest(request, to: NSFetchRequest<Task>.self)!
                            return found(other.entityName)
                        case _ where castFetchRequest(request, to: NSFetchRequest<NSManagedObjectID>.self) != nil: return []
                        case is NSSaveChangesRequest: return []
                        default: break
                        }
                        if let request = castFetchRequest(request, to: NSFetchRequest<NSManagedObject>.self) { return found(request.entityName) }
                        guard let task = castFetchRequest(request, to: NSFetchRequest<Task>.self), !(castFetchRequest(request, to: NSFetchRequest<NSNumber>.self) != nil) else { return [] }
                        return found(task.entityName)
                    }
                    func found(_ name: String?) -> [Any] { [] }
                }
                func urgent(_ model: NSManagedObjectModel) -> NSFetchRequest<Task> {
                    castFetchRequest(model.fetchRequestTemplate(forName: "urgent"), to: NSFetchRequest<Task>.self)!
                }
                func open(_ model: NSManagedObjectModel) -> NSFetchRequest<Task>? {
                    castFetchRequest(model.fetchRequestTemplate(forName: "open")?.copy(), to: NSFetchRequest<Task>.self)
                }
                func plain(_ model: NSManagedObjectModel) -> NSFetchRequest<NSFetchRequestResult>? {
                    model.fetchRequestTemplate(forName: "open")?.copy() as? NSFetchRequest<NSFetchRequestResult>
                }

                #if canImport(ObjectiveC)
                /// On Apple's platforms a fetch request can be cast to one for any type.
                private func castFetchRequest<Request>(_ request: Any?, to type: Request.Type) -> Request? {
                    request as? Request
                }
                #endif

                """,
            compilesBefore: true
        ),
        Sample(
            rule: "results-controller-cast",
            before: """
                import CoreData

                class Task: NSManagedObject {}
                final class TaskList: NSObject, NSFetchedResultsControllerDelegate {
                    let tasks: NSFetchedResultsController<Task>
                    init(_ tasks: NSFetchedResultsController<Task>) { self.tasks = tasks }
                    func reload() throws {
                        try tasks.performFetch()
                        controllerDidChangeContent(tasks as! NSFetchedResultsController<NSFetchRequestResult>)
                    }
                    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                        guard let any = tasks as? NSFetchedResultsController<any NSFetchRequestResult> else { return }
                        print(any == controller)
                    }
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {}
                final class TaskList: NSObject, NSFetchedResultsControllerDelegate {
                    let tasks: NSFetchedResultsController<Task>
                    init(_ tasks: NSFetchedResultsController<Task>) { self.tasks = tasks }
                    func reload() throws {
                        try tasks.performFetch()
                        controllerDidChangeContent(castFetchedResultsController(tasks, to: NSFetchedResultsController<NSFetchRequestResult>.self)!)
                    }
                    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                        guard let any = castFetchedResultsController(tasks, to: NSFetchedResultsController<any NSFetchRequestResult>.self) else { return }
                        print(any == controller)
                    }
                }

                #if canImport(ObjectiveC)
                /// On Apple's platforms a results controller can be cast to one for any type.
                private func castFetchedResultsController<Controller>(_ controller: Any?, to type: Controller.Type) -> Controller? {
                    controller as? Controller
                }
                #endif

                """,
            compilesBefore: true
        ),
        Sample(
            rule: "entity-init",
            before: """
                import CoreData

                class Task: NSManagedObject {}
                func insert(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) -> Task {
                    let first = NSManagedObject(entity: entity, insertInto: context) as! Task
                    return [first, NSManagedObject.init(
                        entity: entity, insertInto: context
                    ) as! Task][1]
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {}
                func insert(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) -> Task {
                    let first = Task(entity: entity, insertInto: context)
                    return [first, Task(
                        entity: entity, insertInto: context
                    )][1]
                }
                """,
            compilesBefore: true
        ),
    ]
}
