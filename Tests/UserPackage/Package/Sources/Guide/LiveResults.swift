// The listings of LiveResults.md.
import CoreData

func watch(_ container: NSPersistentContainer, changes: Int) async throws -> [Int] {
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let controller = await context.perform {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.sortDescriptors = ["shelf.name", "name"].map { NSSortDescriptor(key: $0, ascending: true) }
        return NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: "shelf.name",
            cacheName: nil
        )
    }
    let differences = controller.differences
    try await context.perform { try controller.performFetch() }

    var counts: [Int] = []
    var content = FetchedResultsContent()
    for await difference in differences {
        content.apply(difference)
        counts.append(content.objectIDs.count)
        if counts.count == changes { break }
    }
    return counts
}
