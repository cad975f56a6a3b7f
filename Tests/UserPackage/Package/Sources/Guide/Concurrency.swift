// The listings of Concurrency.md.
import CoreData

func markAllDone(in container: NSPersistentContainer) async throws {
    try await container.performBackgroundTask { context in
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.predicate = NSPredicate(format: "isDone == NO")
        for item in try context.fetch(request) { item.isDone = true }
        try context.save()
    }
}

func rename(_ id: NSManagedObjectID, to name: String, in context: NSManagedObjectContext) async throws {
    try await context.perform {
        guard let item = try context.existingObject(with: id) as? Item else { return }
        item.name = name
        try context.save()
    }
}
