// The listings of Servers.md.
import CoreData

struct ItemList: Sendable {
    let container: NSPersistentContainer

    func names(containing text: String) async throws -> [String] {
        try await container.performBackgroundTask { context in
            let request: NSFetchRequest<Item> = Item.fetchRequest()
            request.predicate = NSPredicate(format: "name CONTAINS[cd] %@", text)
            request.fetchLimit = 100
            return try context.fetch(request).compactMap(\.name)
        }
    }
}

func predicate(typedByAUser format: String) -> NSPredicate? {
    do {
        return try NSPredicate(validating: format)
    } catch {
        print(error.localizedDescription)
        return nil
    }
}
