// The listings of FetchingObjects.md.
import CoreData

func fetches(in context: NSManagedObjectContext) throws {
    let request: NSFetchRequest<Item> = Item.fetchRequest()
    request.predicate = NSPredicate(format: "name CONTAINS[cd] %@ AND quantity IN %@", "milk", [1, 2, 3])
    request.sortDescriptors = [NSSortDescriptor(key: "shelf.name", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["shelf"]
    request.fetchLimit = 50
    for item in try context.fetch(request) {
        print(item.name ?? "", item.shelf?.name ?? "")
    }

    let large: NSFetchRequest<Item> = Item.fetchRequest()
    large.predicate = NSPredicate(#Predicate<Item> { $0.quantity > 10 && !$0.isDone })
    let order: [SortDescriptor<Item>] = [SortDescriptor(\.name), SortDescriptor(\.quantity, order: .reverse)]
    large.sortDescriptors = order.map(NSSortDescriptor.init)
    print(try context.count(for: large))
}

func totals(in context: NSManagedObjectContext) throws -> [NSDictionary] {
    let total = NSExpressionDescription()
    total.name = "total"
    total.expression = NSExpression(format: "sum:(quantity)")
    total.expressionResultType = .integer64AttributeType

    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = ["shelf.name"]
    request.propertiesToFetch = ["shelf.name", total]
    return try context.fetch(request)
}

func exportNames(of context: NSManagedObjectContext) async throws -> Int {
    var count = 0
    let request: NSFetchRequest<Item> = Item.fetchRequest()
    for try await _ in context.results(of: request, { $0.name }) { count += 1 }
    return count
}

func firstNames(of context: NSManagedObjectContext) throws -> [String] {
    let sorted: NSFetchRequest<Item> = Item.fetchRequest()
    sorted.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    sorted.fetchBatchSize = 20
    return try context.fetchLazily(sorted).prefix(20).map { $0.name ?? "" }
}
