// A sample for each rule: code that does not compile against the framework, and the ported code, which does.

/// A file before and after.
struct Sample: CustomStringConvertible, Sendable {
    var rule: String
    var before: String
    var after: String
    /// Whether the original compiles, because it fails only at run time.
    var compilesBefore = false

    var description: String { rule }
}

extension Sample {
    static let all: [Sample] = [
        Sample(
            rule: "objc",
            before: """
                import CoreData

                /// A task.
                @objc(Task)
                public class Task: NSManagedObject {
                    @NSManaged @objc public var done: Bool
                    // Called by a button.
                    @objc dynamic func toggle() { done.toggle() } // twice
                    @available(*, deprecated)
                    @objc
                    var isOpen: Bool { !done }
                }
                @objcMembers final class Helper: NSObject { @objc func help() {} }
                """,
            after: """
                import CoreData

                /// A task.
                #if canImport(ObjectiveC)
                @objc(Task)
                #endif
                public class Task: NSManagedObject {
                    @NSManaged
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    public var done: Bool
                    // Called by a button.
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    dynamic func toggle() { done.toggle() } // twice
                    @available(*, deprecated)
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    var isOpen: Bool { !done }
                }
                #if canImport(ObjectiveC)
                @objcMembers
                #endif
                final class Helper: NSObject {
                #if canImport(ObjectiveC)
                @objc
                #endif
                func help() {} }
                """
        ),
        Sample(
            rule: "key-path",
            before: """
                import CoreData

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    @NSManaged var owner: Task?
                    static let predicate = NSPredicate(format: "%K == %@", #keyPath(Task.owner.title), "x")
                    var key: String { #keyPath(title) }
                    var module: String { #keyPath(App.Task . owner?.title) }
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    @NSManaged var owner: Task?
                    static let predicate = NSPredicate(format: "%K == %@", "owner.title", "x")
                    var key: String { "title" }
                    var module: String { "owner.title" }
                }
                """
        ),
        Sample(
            rule: "selector",
            before: """
                import CoreData

                class Watcher: NSObject {
                    func start(_ context: NSManagedObjectContext) {
                        NotificationCenter.default.addObserver(self, selector: #selector(saved(_:)), name: .NSManagedObjectContextDidSave, object: context)
                        NotificationCenter.default.addObserver(
                            self, selector: #selector(type(of: self).refresh), name: Notification.Name("x"), object: nil)
                    }
                    func saved(_ notification: NSNotification) {}
                    func refresh() {}
                    let sort = NSSortDescriptor(key: "a", ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))
                }
                """,
            after: """
                import CoreData

                class Watcher: NSObject {
                    func start(_ context: NSManagedObjectContext) {
                        #if canImport(ObjectiveC)
                        NotificationCenter.default.addObserver(self, selector: #selector(saved(_:)), name: .NSManagedObjectContextDidSave, object: context)
                        #else
                        _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { [weak self] notification in
                            self?.saved(notification as NSNotification)
                        }
                        #endif
                        #if canImport(ObjectiveC)
                        NotificationCenter.default.addObserver(
                            self, selector: #selector(type(of: self).refresh), name: Notification.Name("x"), object: nil)
                        #else
                        _ = NotificationCenter.default.addObserver(forName: Notification.Name("x"), object: nil, queue: nil) { [weak self] _ in
                            self?.refresh()
                        }
                        #endif
                    }
                    func saved(_ notification: NSNotification) {}
                    func refresh() {}
                    let sort = NSSortDescriptor(key: "a", ascending: true, selector: Selector(("localizedStandardCompare:")))
                }
                """
        ),
        Sample(
            rule: "override",
            before: """
                import CoreData

                public class Task: NSManagedObject {
                    func plain() {}
                }

                public extension Task {
                    /// Set at the beginning.
                    override func awakeFromInsert() {
                        super.awakeFromInsert()
                    }

                    func other() {}
                }

                extension Task {
                    @objc func rank() -> Int { 0 }
                }

                class SubTask: Task {
                    override func rank() -> Int { 1 }
                }
                """,
            after: """
                import CoreData

                public class Task: NSManagedObject {
                    func plain() {}

                    /// Set at the beginning.
                    public override func awakeFromInsert() {
                        super.awakeFromInsert()
                    }

                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    func rank() -> Int { 0 }
                }

                public extension Task {
                    func other() {}
                }

                class SubTask: Task {
                    override func rank() -> Int { 1 }
                }
                """
        ),
        Sample(
            rule: "import",
            before: """
                // Head.
                import UIKit
                import os.log
                #if compiler(>=6.0)
                import OSLog
                #endif

                struct Place { var date = Date() }
                func load(_ url: URL) async throws -> Data { try await URLSession.shared.data(from: url).0 }
                """,
            after: """
                // Head.
                import Foundation
                #if canImport(UIKit)
                import UIKit
                #endif
                #if canImport(os)
                import os.log
                #endif
                #if canImport(FoundationNetworking)
                import FoundationNetworking
                #endif
                #if compiler(>=6.0)
                #if canImport(OSLog)
                import OSLog
                #endif
                #endif

                struct Place { var date = Date() }
                func load(_ url: URL) async throws -> Data { try await URLSession.shared.data(from: url).0 }
                """
        ),
        Sample(
            rule: "apple-only",
            before: """
                import CoreData
                import UIKit

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    /// The appearance.
                    var colour: UIColor { .red }

                    func open() {
                        print("opened")
                        // Elsewhere.
                        UIApplication.shared.open(URL(fileURLWithPath: "/"))
                        paint(colour)
                    }
                    func paint(_ colour: UIColor) {}
                }

                class TaskCell: UITableViewCell {
                    @IBOutlet var label: UILabel!
                }
                """,
            after: """
                import CoreData
                #if canImport(UIKit)
                import UIKit
                #endif

                class Task: NSManagedObject {
                    @NSManaged var title: String?
                    #if canImport(UIKit)
                    /// The appearance.
                    var colour: UIColor { .red }
                    #endif

                    func open() {
                        print("opened")
                        #if canImport(UIKit)
                        // Elsewhere.
                        UIApplication.shared.open(URL(fileURLWithPath: "/"))
                        #endif
                        #if canImport(UIKit)
                        paint(colour)
                        #endif
                    }
                    #if canImport(UIKit)
                    func paint(_ colour: UIColor) {}
                    #endif
                }

                #if canImport(UIKit)
                class TaskCell: UITableViewCell {
                    @IBOutlet var label: UILabel!
                }
                #endif
                """
        ),
        Sample(
            rule: "apple-only",
            before: """
                // Views.
                import CoreData
                import SwiftUI

                struct TaskList: View {
                    @FetchRequest(sortDescriptors: []) private var tasks: FetchedResults<Task>
                    var body: some View { Text("x") }
                }

                #Preview { TaskList() }
                """,
            after: """
                // Views.
                #if canImport(SwiftUI)
                import CoreData
                import SwiftUI

                struct TaskList: View {
                    @FetchRequest(sortDescriptors: []) private var tasks: FetchedResults<Task>
                    var body: some View { Text("x") }
                }

                #Preview { TaskList() }
                #endif
                """
        ),
        Sample(
            rule: "apple-only",
            before: """
                import CoreData
                import SwiftUI

                @propertyWrapper struct CurrentTask: DynamicProperty {
                    @Environment(\\.managedObjectContext) private var context
                    var wrappedValue: NSManagedObjectContext {
                        if context.hasChanges { print("changed") }
                        return context
                    }
                }
                """,
            after: """
                #if canImport(SwiftUI)
                import CoreData
                import SwiftUI

                @propertyWrapper struct CurrentTask: DynamicProperty {
                    @Environment(\\.managedObjectContext) private var context
                    var wrappedValue: NSManagedObjectContext {
                        if context.hasChanges { print("changed") }
                        return context
                    }
                }
                #endif
                """
        ),
        Sample(
            rule: "observable-object",
            before: """
                import Combine
                import CoreData

                final class Stack: NSObject, ObservableObject, NSFetchedResultsControllerDelegate {
                    @Published private(set) var count = 0
                    func change() {
                        objectWillChange.send()
                    }
                }
                """,
            after: """
                #if canImport(Combine)
                import Combine
                #endif
                import CoreData

                final class Stack: NSObject, NSFetchedResultsControllerDelegate {
                    #if canImport(Combine)
                    @Published
                    #endif
                    private(set) var count = 0
                    func change() {
                        #if canImport(Combine)
                        objectWillChange.send()
                        #endif
                    }
                }

                #if canImport(Combine)
                extension Stack: ObservableObject {}
                #endif
                """
        ),
        Sample(
            rule: "cloudkit-container",
            before: """
                import CoreData

                public struct Stack {
                    public let container: NSPersistentCloudKitContainer
                    public init() {
                        container = NSPersistentCloudKitContainer(name: "Model")
                        container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil
                    }
                }
                """,
            after: """
                import CoreData

                public struct Stack {
                    public let container: NSPersistentCloudKitContainer
                    public init() {
                        container = NSPersistentCloudKitContainer(name: "Model")
                        #if canImport(CloudKit)
                        container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil
                        #endif
                    }
                }

                #if !canImport(CloudKit)
                /// Off Apple there is no CloudKit: stores stay on the machine.
                open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}
                #endif

                """
        ),
        Sample(
            rule: "autoreleasepool",
            before: """
                import CoreData

                func work() throws -> Int { try autoreleasepool { 3 } }
                """,
            after: """
                import CoreData

                func work() throws -> Int { try autoreleasepool { 3 } }

                #if !canImport(ObjectiveC)
                /// Off Apple there are no autorelease pools: the work is just done.
                private func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
                    try body()
                }
                #endif

                """
        ),
        Sample(
            rule: "fetch-request-cast",
            before: """
                import CoreData

                class Task: NSManagedObject {
                    @nonobjc class func fetchRequest() -> NSFetchRequest<Task> { NSFetchRequest(entityName: "Task") }
                }
                func all() -> NSBatchDeleteRequest {
                    NSBatchDeleteRequest(fetchRequest: Task.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>)
                }
                """,
            after: """
                import CoreData

                class Task: NSManagedObject {
                    @nonobjc class func fetchRequest() -> NSFetchRequest<Task> { NSFetchRequest(entityName: "Task") }
                }
                func all() -> NSBatchDeleteRequest {
                    NSBatchDeleteRequest(fetchRequest: Task.fetchRequest() as NSFetchRequest<NSFetchRequestResult>)
                }
                """,
            compilesBefore: true
        ),
        Sample(
            rule: "required-init",
            before: """
                import CoreData

                public class Task: NSManagedObject {
                    init(title: String, context: NSManagedObjectContext) {
                        super.init(entity: Task.entity(), insertInto: context)
                    }
                }
                class Plain: NSManagedObject {
                    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                        super.init(entity: entity, insertInto: context)
                    }
                }
                final class Hidden: NSManagedObject {
                    private override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                        super.init(entity: entity, insertInto: context)
                    }
                }
                class Coordinator: NSPersistentStoreCoordinator {
                    init() { super.init(managedObjectModel: NSManagedObjectModel()) }
                }
                class Transformer: ValueTransformer {
                    let change: (Any?) -> Any?
                    init(change: @escaping (Any?) -> Any?) {
                        self.change = change
                        super.init()
                    }
                }
                class Reverse: Transformer {
                    public init() { super.init { $0 } }
                }
                """,
            after: """
                import CoreData

                public class Task: NSManagedObject {
                    init(title: String, context: NSManagedObjectContext) {
                        super.init(entity: Task.entity(), insertInto: context)
                    }

                    #if !canImport(ObjectiveC)
                    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                        super.init(entity: entity, insertInto: context)
                    }
                    #endif
                }
                class Plain: NSManagedObject {
                    required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                        super.init(entity: entity, insertInto: context)
                    }
                }
                final class Hidden: NSManagedObject {
                    required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
                        super.init(entity: entity, insertInto: context)
                    }
                }
                class Coordinator: NSPersistentStoreCoordinator {
                    init() { super.init(managedObjectModel: NSManagedObjectModel()) }

                    #if !canImport(ObjectiveC)
                    required init(managedObjectModel model: NSManagedObjectModel) {
                        super.init(managedObjectModel: model)
                    }
                    #endif
                }
                class Transformer: ValueTransformer {
                    let change: (Any?) -> Any?
                    init(change: @escaping (Any?) -> Any?) {
                        self.change = change
                        super.init()
                    }

                    #if !canImport(ObjectiveC)
                    required init() {
                        fatalError("Transformer has another initializer.")
                    }
                    #endif
                }
                class Reverse: Transformer {
                    public required init() { super.init { $0 } }
                }
                """
        ),
        Sample(
            rule: "renamed-call",
            before: """
                import CoreData

                let start = CFAbsoluteTimeGetCurrent()
                let wait = 2 * NSEC_PER_SEC
                let name = Bundle.main.infoDictionary?[kCFBundleNameKey as String] as? String
                let info = [NSLocalizedFailureErrorKey: "Failed"]
                let version = ProcessInfo().operatingSystemVersion
                func first(_ members: NSFastEnumerationIterator) -> Any? { members.next() }
                let member = first(NSMutableSet().makeIterator())
                func seconds(since start: CFAbsoluteTime) -> CFTimeInterval? { CFTimeInterval(start) }
                class Transformer: Foundation.ValueTransformer {
                    static func register() {
                        Foundation.ValueTransformer.setValueTransformer(Transformer(), forName: .init("T"))
                    }
                }
                """,
            after: """
                import CoreData

                let start = Date.timeIntervalSinceReferenceDate
                let wait = 2 * UInt64(1_000_000_000)
                let name = Bundle.main.infoDictionary?["CFBundleName" as String] as? String
                let info = ["NSLocalizedFailure": "Failed"]
                let version = ProcessInfo.processInfo.operatingSystemVersion
                func first(_ members: NSEnumerator.Iterator) -> Any? { members.next() }
                let member = first(NSMutableSet().makeIterator())
                func seconds(since start: TimeInterval) -> TimeInterval? { TimeInterval(start) }
                class Transformer: ValueTransformer {
                    static func register() {
                        ValueTransformer.setValueTransformer(Transformer(), forName: .init("T"))
                    }
                }
                """
        ),
    ]
}
