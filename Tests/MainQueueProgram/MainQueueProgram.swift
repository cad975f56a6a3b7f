// A program whose main thread behaves as its argument says while another thread works in a main-queue context. Run by
// MainQueueTests; it prints its results and exits with 0.
import Foundation
import GraphSupport
import ManagedGraph

@main enum MainQueueProgram {
    static func main() throws {
        let mode = CommandLine.arguments.dropFirst().first ?? ""
        if mode == "blocked" { MainQueueWatch.patience.store(1, ordering: .relaxed) }
        if mode == "replaced" { NSManagedObjectContext.serveMainQueue(on: DispatchQueue(label: "main")) }
        let context = try makeContext()
        switch mode {
        case "runLoop":
            Thread.detachNewThread { work(context) }
            RunLoop.main.run()
        case "dispatchMain":
            Thread.detachNewThread { work(context) }
            dispatchMain()
        case "blocked":
            context.perform { print("ran") }
            // Nothing serves the main queue meanwhile; another thread logs the warning.
            Thread.sleep(forTimeInterval: 3)
        case "replaced":
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                work(context, exits: false)
                done.signal()
            }
            done.wait()
            // The main thread is no longer the queue and waits for it like any other thread.
            print("from main: \(context.performAndWait { count(context) })")
        case "stray":
            // Off the queue: the context has a private queue.
            let other = NSManagedObjectContext(.privateQueue)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            let item = other.performAndWait {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: other)
                other.processPendingChanges()
                return item
            }
            print("number: \(item.value(forKey: "number") ?? "none")")
        case "walk":
            walk(context)
        default:
            // A command: nothing serves or waits for the main queue.
            MainQueueWatch.patience.store(1, ordering: .relaxed)
            insert(context)
            Thread.sleep(forTimeInterval: 2)
            print("rows: \(count(context))")
        }
    }

    private static func makeContext() throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "Item"
        let attribute = NSAttributeDescription()
        attribute.name = "number"
        attribute.attributeType = .integer64AttributeType
        entity.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(filePath: "/dev/null"))]
        container.loadPersistentStores { _, error in
            if let error { fatalError("\(error)") }
        }
        return container.viewContext
    }

    private static func insert(_ context: NSManagedObjectContext) {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        do { try context.save() } catch { fatalError("\(error)") }
    }

    /// Reads the values of twelve objects one by one, then counts them.
    private static func walk(_ context: NSManagedObjectContext) {
        for _ in 0..<12 { insert(context) }
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.includesPropertyValues = false
        do {
            for item in try context.fetch(request) { _ = item.value(forKey: "number") }
            print("items: \(try context.count(for: request))")
        } catch {
            print("thrown: \((error as NSError).localizedDescription)")
        }
    }

    private static func count(_ context: NSManagedObjectContext) -> Int {
        (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))) ?? -1
    }

    /// Uses the context off the main thread, in each possible way.
    private static func work(_ context: NSManagedObjectContext, exits: Bool = true) {
        context.performAndWait { insert(context) }
        let child = context.makeChild()
        // The child's queue waits for the main queue, whose block re-enters the child's queue.
        let nested = child.performAndWait {
            context.performAndWait { child.performAndWait { context.performAndWait { count(context) } } }
        }
        let task = DispatchSemaphore(value: 0)
        Task {
            await context.perform { insert(context) }
            if exits {
                // A block of the main queue enters a private queue, which re-enters the main context.
                await MainActor.run {
                    child.performAndWait { context.performAndWait { insert(context) } }
                }
            } else {
                // The main actor runs nothing if the main queue is not served.
                context.performAndWait { insert(context) }
            }
            task.signal()
        }
        task.wait()
        print("nested: \(nested), rows: \(context.performAndWait { count(context) })")
        if exits { exit(0) }
    }
}
