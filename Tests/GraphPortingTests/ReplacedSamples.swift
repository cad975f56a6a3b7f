// More samples of rules: requests made for another type, names of properties, and modules that replace Apple's.

extension Sample {
    // Classes that the rule for imports leaves as they are.
    private static let store = """
        final class Store {
            private let lock = OSAllocatedUnfairLock(initialState: [String: Int]())
            private let logger = Logger(subsystem: "reading", category: "store")
            private var plain = os_unfair_lock()

            func save(_ context: NSManagedObjectContext) {
                os_unfair_lock_lock(&plain)
                defer { os_unfair_lock_unlock(&plain) }
                let count = lock.withLock { counts in
                    counts["saves", default: 0] += 1
                    return counts.count
                }
                logger.info("saving \\(count) of \\(context.description, privacy: .public)")
                do { try context.save() } catch { os_log("%{public}@", log: .default, type: .error, "\\(error)") }
            }
        }
        """

    private static let watcher = """
        final class Watcher {
            private var observations: Set<AnyCancellable> = []

            func watch(_ context: NSManagedObjectContext) {
                NotificationCenter.default.publisher(for: .NSManagedObjectContextDidSave, object: context)
                    .compactMap { $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> }
                    .receive(on: DispatchQueue.main)
                    .sink { print($0.count) }
                    .store(in: &observations)
            }
        }
        """

    static let replaced: [Sample] = [
        Sample(
            rule: "bridging",
            before: """
                import CoreData

                final class Person: NSManagedObject {
                    @NSManaged var cars: NSSet?
                    func addToCars(_ values: NSSet) { cars = values }
                    func addToNames(_ values: [String]) {}
                }

                func fill(_ person: Person, _ car: NSManagedObject, _ store: NSPersistentStoreDescription) {
                    person.cars = [car]
                    person.addToCars([car])
                    person.addToNames(["Ann"])
                    let more = [car, car] as NSSet
                    person.cars = more
                    for case let car as NSManagedObject in person.cars ?? [] { print(car) }
                    store.setOption(FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
                }
                """,
            after: """
                import CoreData

                final class Person: NSManagedObject {
                    @NSManaged var cars: NSSet?
                    func addToCars(_ values: NSSet) { cars = values }
                    func addToNames(_ values: [String]) {}
                }

                func fill(_ person: Person, _ car: NSManagedObject, _ store: NSPersistentStoreDescription) {
                    person.cars = NSSet(array: [car])
                    person.addToCars(NSSet(array: [car]))
                    person.addToNames(["Ann"])
                    let more = NSSet(array: [car, car])
                    person.cars = more
                    for case let car as NSManagedObject in person.cars ?? NSSet(array: []) { print(car) }
                    store.setOption(FileProtectionType.complete.rawValue as NSObject, forKey: NSPersistentStoreFileProtectionKey)
                }
                """
        ),
        Sample(
            rule: "fetch-request-cast",
            before: """
                import CoreData

                extension NSManagedObjectContext {
                    func deleteAll<T: NSManagedObject>(_ request: NSFetchRequest<T>) throws {
                        // All of them.
                        let deletion = NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>)
                        deletion.resultType = .resultTypeCount
                        _ = try execute(deletion)
                    }
                    func deleteSome<T: NSManagedObject>(_ request: NSFetchRequest<T>) throws {
                        _ = try execute(NSBatchDeleteRequest(fetchRequest: (request as? NSFetchRequest<any NSFetchRequestResult>)!))
                    }
                    func deletion<T: NSManagedObject>(_ request: NSFetchRequest<T>) -> NSBatchDeleteRequest {
                        return NSBatchDeleteRequest(
                            fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>
                        )
                    }
                }
                """,
            after: """
                import CoreData

                extension NSManagedObjectContext {
                    func deleteAll<T: NSManagedObject>(_ request: NSFetchRequest<T>) throws {
                        // All of them.
                        #if canImport(ObjectiveC)
                        let deletion = NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>)
                        #else
                        let deletion = NSBatchDeleteRequest(fetchRequest: request)
                        #endif
                        deletion.resultType = .resultTypeCount
                        _ = try execute(deletion)
                    }
                    func deleteSome<T: NSManagedObject>(_ request: NSFetchRequest<T>) throws {
                        #if canImport(ObjectiveC)
                        _ = try execute(NSBatchDeleteRequest(fetchRequest: (request as? NSFetchRequest<any NSFetchRequestResult>)!))
                        #else
                        _ = try execute(NSBatchDeleteRequest(fetchRequest: request))
                        #endif
                    }
                    func deletion<T: NSManagedObject>(_ request: NSFetchRequest<T>) -> NSBatchDeleteRequest {
                        #if canImport(ObjectiveC)
                        return NSBatchDeleteRequest(
                            fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>
                        )
                        #else
                        return NSBatchDeleteRequest(
                            fetchRequest: request
                        )
                        #endif
                    }
                }
                """,
            compilesBefore: true
        ),
        Sample(
            rule: "fetch-request-cast",
            before: """
                import CoreData

                func all() -> NSFetchRequest<NSDictionary> {
                    NSFetchRequest<NSManagedObject>(entityName: "Task") as! NSFetchRequest<NSDictionary>
                }
                """,
            after: """
                import CoreData

                func all() -> NSFetchRequest<NSDictionary> {
                    NSFetchRequest<NSDictionary>(entityName: "Task")
                }
                """,
            compilesBefore: true
        ),
        Sample(
            rule: "fetch-request-cast",
            before: """
                import CoreData

                class Task: NSManagedObject {
                    class func fetchRequest(_ predicate: NSPredicate) -> NSFetchRequest<Task> {
                        let request = super.fetchRequest() as! NSFetchRequest<Task>
                        request.predicate = predicate
                        return request
                    }
                }
                func all() -> NSFetchRequest<Task> { Task.fetchRequest() as! NSFetchRequest<Task> }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {
                    class func fetchRequest(_ predicate: NSPredicate) -> NSFetchRequest<Task> {
                        let request = NSFetchRequest<Task>(entityName: entity().name!)
                        request.predicate = predicate
                        return request
                    }
                }
                func all() -> NSFetchRequest<Task> { NSFetchRequest<Task>(entityName: Task.entity().name!) }
                """,
            compilesBefore: true
        ),
        Sample(
            rule: "argument-list",
            before: """
                import CoreData

                struct Query {
                    func filtered(_ predicate: NSPredicate) -> NSPredicate { predicate }
                    func filtered(_ format: String, _ args: CVarArg...) -> NSPredicate {
                        return withVaList(args) { self.filtered(NSPredicate(format: format, arguments: $0)) }
                    }
                    static func predicate(_ format: String, _ args: CVarArg...) -> NSPredicate {
                        NSPredicate(format: format, arguments: getVaList(args))
                    }
                    static func printed(_ format: String, _ args: [CVarArg]) -> NSPredicate {
                        let result: NSPredicate = withVaList(args) { list in
                            print(format)
                            return NSPredicate(format: format, arguments: list)
                        }
                        return result
                    }
                }
                """,
            after: """
                import CoreData

                struct Query {
                    func filtered(_ predicate: NSPredicate) -> NSPredicate { predicate }
                    func filtered(_ format: String, _ args: CVarArg...) -> NSPredicate {
                        return self.filtered(NSPredicate(format: format, argumentArray: args))
                    }
                    static func predicate(_ format: String, _ args: CVarArg...) -> NSPredicate {
                        NSPredicate(format: format, argumentArray: args)
                    }
                    static func printed(_ format: String, _ args: [CVarArg]) -> NSPredicate {
                        let result: NSPredicate = withVaList(args) { list in
                            print(format)
                            return NSPredicate(format: format, argumentArray: args)
                        }
                        return result
                    }
                }
                """
        ),
        Sample(
            rule: "optional-call",
            before: """
                import CoreData

                final class Forwarder: NSObject, NSFetchedResultsControllerDelegate {
                    typealias Controller = NSFetchedResultsController<NSFetchRequestResult>
                    weak var next: NSFetchedResultsControllerDelegate?
                    func controllerDidChangeContent(_ controller: Controller) {
                        next?.controllerDidChangeContent?(controller)
                    }
                    func controller(
                        _ controller: Controller, didChange anObject: Any, at indexPath: IndexPath?,
                        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
                    ) {
                        next?.controller?(
                            controller, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
                    }
                    func controller(_ controller: Controller, sectionIndexTitleForSectionName name: String) -> String? {
                        guard let next else { return nil }
                        return next.controller?(controller, sectionIndexTitleForSectionName: name)
                    }
                }
                """,
            after: """
                import CoreData

                final class Forwarder: NSObject, NSFetchedResultsControllerDelegate {
                    typealias Controller = NSFetchedResultsController<NSFetchRequestResult>
                    weak var next: NSFetchedResultsControllerDelegate?
                    func controllerDidChangeContent(_ controller: Controller) {
                        #if canImport(ObjectiveC)
                        next?.controllerDidChangeContent?(controller)
                        #else
                        next?.controllerDidChangeContent(controller)
                        #endif
                    }
                    func controller(
                        _ controller: Controller, didChange anObject: Any, at indexPath: IndexPath?,
                        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
                    ) {
                        #if canImport(ObjectiveC)
                        next?.controller?(
                            controller, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
                        #else
                        next?.controller(
                            controller, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
                        #endif
                    }
                    func controller(_ controller: Controller, sectionIndexTitleForSectionName name: String) -> String? {
                        guard let next else { return nil }
                        #if canImport(ObjectiveC)
                        return next.controller?(controller, sectionIndexTitleForSectionName: name)
                        #else
                        return next.controller(controller, sectionIndexTitleForSectionName: name)
                        #endif
                    }
                }
                """
        ),
        Sample(
            rule: "metatype-init",
            before: """
                import CoreData

                extension NSManagedObject {
                    class func inserted(_ context: NSManagedObjectContext) -> NSManagedObject {
                        self.init(context: context)
                    }
                    class func made(_ context: NSManagedObjectContext) -> Self { self.init(context: context) }
                }

                func make(_ type: NSManagedObject.Type, _ context: NSManagedObjectContext) -> NSManagedObject {
                    type.init(context: context)
                }
                """,
            after: """
                import CoreData

                extension NSManagedObject {
                    class func inserted(_ context: NSManagedObjectContext) -> NSManagedObject {
                        self.init(entity: self.entity(), insertInto: context)
                    }
                    class func made(_ context: NSManagedObjectContext) -> Self { self.init(context: context) }
                }

                func make(_ type: NSManagedObject.Type, _ context: NSManagedObjectContext) -> NSManagedObject {
                    type.init(entity: type.entity(), insertInto: context)
                }
                """,
            compilesBefore: true
        ),
        Sample(
            rule: "import",
            before: """
                import Foundation

                final class Reversed: ValueTransformer {
                    override func transformedValue(_ value: Any?) -> Any? { value }
                }
                """,
            after: """
                import Foundation
                import CoreData

                final class Reversed: ValueTransformer {
                    override func transformedValue(_ value: Any?) -> Any? { value }
                }
                """
        ),
        Sample(
            rule: "import",
            before: """
                import Foundation

                struct Order { var comparison: Selector, undoes: UndoManager }
                func isTransient(_ type: NSAttributeType) -> Bool { type == .undefinedAttributeType }
                """,
            after: """
                import Foundation
                import CoreData

                struct Order { var comparison: Selector, undoes: UndoManager }
                func isTransient(_ type: NSAttributeType) -> Bool { type == .undefinedAttributeType }
                """
        ),
        Sample(
            rule: "selector",
            before: """
                import CoreData

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    static let sort = NSSortDescriptor(key: NSStringFromSelector(#selector(getter: Task.title)), ascending: true)
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    static let sort = NSSortDescriptor(key: "title", ascending: true)
                }
                """
        ),
        Sample(
            rule: "import",
            before: """
                import CoreData
                import os
                import os.log

                \(store)
                """,
            after: """
                import CoreData
                #if canImport(os)
                import os
                #else
                import ApplePlatformShims
                #endif
                #if canImport(os)
                import os.log
                #else
                import ApplePlatformShims
                #endif

                \(store)
                """
        ),
        Sample(
            rule: "import",
            before: """
                import Combine
                import CoreData

                \(watcher)
                """,
            after: """
                #if canImport(Combine)
                import Combine
                #else
                import CombineShims
                #endif
                import CoreData

                \(watcher)
                """
        ),
        Sample(
            rule: "required-init",
            before: """
                import CoreData

                final class FileStore: NSAtomicStore {
                    init() {
                        super.init(persistentStoreCoordinator: nil, configurationName: nil, at: URL(fileURLWithPath: "/a"), options: nil)
                    }
                }
                class RemoteStore: NSIncrementalStore {
                    override init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil) {
                        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
                    }
                }
                """,
            after: """
                import CoreData

                final class FileStore: NSAtomicStore {
                    init() {
                        super.init(persistentStoreCoordinator: nil, configurationName: nil, at: URL(fileURLWithPath: "/a"), options: nil)
                    }

                    #if !canImport(ObjectiveC)
                    required init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil) {
                        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
                    }
                    #endif
                }
                class RemoteStore: NSIncrementalStore {
                    required override init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil) {
                        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
                    }
                }
                """
        ),
        Sample(
            rule: "selector",
            before: """
                import CoreData

                class Saver: NSObject {
                    func start() {
                        NotificationCenter.default.addObserver(self, selector: #selector(merge(_:)), name: .NSManagedObjectContextDidSave, object: nil)
                        NotificationCenter.default.addObserver(self, selector: #selector(save), name: .NSManagedObjectContextDidSave, object: nil)
                    }
                    func merge(_ notification: Notification) throws {}
                    func save() throws {}
                }
                """,
            after: """
                import CoreData

                class Saver: NSObject {
                    func start() {
                        #if canImport(ObjectiveC)
                        NotificationCenter.default.addObserver(self, selector: #selector(merge(_:)), name: .NSManagedObjectContextDidSave, object: nil)
                        #else
                        _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { [weak self] notification in
                            try? self?.merge(notification)
                        }
                        #endif
                        #if canImport(ObjectiveC)
                        NotificationCenter.default.addObserver(self, selector: #selector(save), name: .NSManagedObjectContextDidSave, object: nil)
                        #else
                        _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { [weak self] _ in
                            try? self?.save()
                        }
                        #endif
                    }
                    func merge(_ notification: Notification) throws {}
                    func save() throws {}
                }
                """
        ),
        Sample(
            rule: "renamed-call",
            before: """
                import CoreData

                func remove(_ path: String) throws { try FileManager.default.removeItem(at: NSURL.fileURL(withPath: path)) }
                func folder(_ path: String) -> URL { NSURL.fileURL(withPath: path, isDirectory: true) }
                func write(_ data: Data, _ url: URL) throws { try data.write(to: url, options: [.atomicWrite]) }
                func stamp() -> Date { NSDate.now }
                """,
            after: """
                import CoreData

                func remove(_ path: String) throws { try FileManager.default.removeItem(at: URL(fileURLWithPath: path)) }
                func folder(_ path: String) -> URL { URL(fileURLWithPath: path, isDirectory: true) }
                func write(_ data: Data, _ url: URL) throws { try data.write(to: url, options: [.atomic]) }
                func stamp() -> Date { Date.now }
                """
        ),
        Sample(
            rule: "import",
            before: """
                import CoreData

                func watch(_ context: NSManagedObjectContext) async {
                    for await note in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context) {
                        print(note.name)
                    }
                }
                """,
            after: """
                import CoreData
                #if !canImport(ObjectiveC)
                import ApplePlatformShims
                #endif

                func watch(_ context: NSManagedObjectContext) async {
                    for await note in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context) {
                        print(note.name)
                    }
                }
                """
        ),
        Sample(
            rule: "import",
            before: """
                import CoreData

                func storeURL() -> URL {
                    let shared = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.example")
                    return (shared ?? URL.documentsDirectory).appendingPathComponent("Notes.sqlite")
                }
                var isSignedIn: Bool { FileManager.default.ubiquityIdentityToken != nil }
                """,
            after: """
                import CoreData
                #if !canImport(ObjectiveC)
                import ApplePlatformShims
                #endif

                func storeURL() -> URL {
                    let shared = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.example")
                    return (shared ?? URL.documentsDirectory).appendingPathComponent("Notes.sqlite")
                }
                var isSignedIn: Bool { FileManager.default.ubiquityIdentityToken != nil }
                """
        ),
    ]
}
