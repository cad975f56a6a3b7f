// The listings of GettingStarted.md.
import CoreData

func openShop(at url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Shop")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

func addMilk(to container: NSPersistentContainer) async throws {
    let context = container.newBackgroundContext()
    try await context.perform {
        let shelf = Shelf(context: context)
        shelf.name = "Fridge"
        let item = Item(context: context)
        item.name = "Oat milk"
        item.quantity = 2
        item.shelf = shelf
        try context.save()
    }
}

func namesInTheFridge(of container: NSPersistentContainer) async throws -> [String] {
    let context = container.newBackgroundContext()
    return try await context.perform {
        let request: NSFetchRequest<Item> = Item.fetchRequest()
        request.predicate = NSPredicate(format: "shelf.name == %@ AND quantity > 0", "Fridge")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap(\.name)
    }
}
