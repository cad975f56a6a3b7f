// Managed objects of the class that the build plugin makes from Entries.xcdatamodeld, through Core Data's interface.
import Foundation
import ManagedGraph

/// ManagedGraph; threads share its container.
final class ManagedGraphSubject: Subject, SharedFile {
    static let name = "managedgraph"
    static var filler: any Subject.Type { ManagedGraphSubject.self }

    private let container: NSPersistentContainer

    init(file: URL) throws {
        container = NSPersistentContainer(name: "Entries")
        let description = NSPersistentStoreDescription(url: file)
        description.setValue("WAL" as NSString, forPragmaNamed: "journal_mode")
        description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// A lightweight migration to a version with one attribute more.
    static func addColumn(to file: URL, default fallback: Int?) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try version(default: fallback))
        let store = try coordinator.addPersistentStore(
            type: .sqlite,
            at: file,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSSQLitePragmasOption: ["journal_mode": "WAL", "synchronous": "FULL"],
            ]
        )
        try coordinator.remove(store)
    }

    /// The model with one attribute more.
    private static func version(default fallback: Int?) throws -> NSManagedObjectModel {
        let current = NSPersistentContainer(name: "Entries").managedObjectModel
        guard let model = current.copy() as? NSManagedObjectModel, let entity = model.entitiesByName["Entry"] else {
            throw BenchmarkError("The model Entries has no entity Entry.")
        }
        let attribute = NSAttributeDescription()
        attribute.name = "rank"
        attribute.attributeType = .integer64AttributeType
        attribute.isOptional = fallback == nil
        attribute.defaultValue = fallback
        entity.properties += [attribute]
        return model
    }

    deinit {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    func makeClient() -> any Client { ManagedGraphClient(container) }

    func insert(_ rows: [InputRow]) throws { try ManagedGraphClient(container).insert(rows) }

    func batchInsert(_ rows: [InputRow]) throws {
        var next = 0
        let request = NSBatchInsertRequest(
            entity: Entry.entity(),
            managedObjectHandler: { object in
                guard next < rows.count, let entry = object as? Entry else { return true }
                let row = rows[next]
                next += 1
                entry.text = row.text
                entry.priority = row.priority
                entry.date = row.date
                entry.isDone = row.isDone
                entry.amount = row.amount
                entry.number = row.number
                return false
            }
        )
        let context = container.newBackgroundContext()
        _ = try context.performAndWait { try context.execute(request) }
    }

    func batchUpdate(priority: Int16, amount: Double) throws -> Int {
        let request = NSBatchUpdateRequest(entity: Entry.entity())
        request.predicate = NSPredicate(format: "priority == %d", Int(priority))
        request.propertiesToUpdate = ["amount": amount]
        request.resultType = .updatedObjectsCountResultType
        let context = container.newBackgroundContext()
        let result = try context.performAndWait { try context.execute(request) }
        return (result as? NSBatchUpdateResult)?.result as? Int ?? -1
    }

    func batchDelete(priority: Int16) throws -> Int {
        let entries = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
        entries.predicate = NSPredicate(format: "priority == %d", Int(priority))
        let request = NSBatchDeleteRequest(fetchRequest: entries)
        request.resultType = .resultTypeCount
        let context = container.newBackgroundContext()
        let result = try context.performAndWait { try context.execute(request) }
        return (result as? NSBatchDeleteResult)?.result as? Int ?? -1
    }

    func fetch() throws -> Checksum { try ManagedGraphClient(container).fetch() }

    func hold() throws -> (held: Any, checksum: Checksum) { try ManagedGraphClient(container).hold() }
}
