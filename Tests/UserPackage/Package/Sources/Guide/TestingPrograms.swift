// The listings of TestingPrograms.md.
import CoreData

func countsOfAList(in container: NSPersistentContainer) throws -> Int {
    let context = container.newBackgroundContext()
    context.faultingPolicy = .throw
    let before = container.persistentStoreCoordinator.statistics
    try context.performAndWait {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.relationshipKeyPathsForPrefetching = ["shelf"]
        for item in try context.fetch(request) { _ = item.shelf?.name }
    }
    return (container.persistentStoreCoordinator.statistics - before).statements
}
