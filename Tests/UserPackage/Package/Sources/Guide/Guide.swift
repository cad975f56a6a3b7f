// Runs the listings of the documentation's articles and says which claim does not hold.
import CoreData

/// The listings of the articles, run in their order.
public enum Guide {
    static func expect(_ claim: String, _ isTrue: Bool) {
        guard isTrue else {
            print("guide: this does not hold: \(claim)")
            exit(1)
        }
    }

    /// Ends the process at the first claim that does not hold.
    public static func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try openShop(at: folder.appending(path: "Shop.sqlite"))
        try await addMilk(to: container)
        expect("what is saved is found", try await namesInTheFridge(of: container) == ["Oat milk"])

        let note = Handwritten.model().entitiesByName["Note"]
        expect("a model is made in code", note?.attributesByName["name"]?.defaultValue as? String == "Untitled")

        let context = container.newBackgroundContext()
        try await context.perform {
            try fetches(in: context)
            let totals = try totals(in: context)
            expect("rows are grouped", (totals.first?["total"] as? NSNumber)?.intValue == 2)
            expect("a page of a list is read", try firstNames(of: context) == ["Oat milk"])
        }
        expect("results come one by one", try await exportNames(of: context) == 1)

        let id = try await context.perform {
            try context.fetch(Item.fetchRequest() as NSFetchRequest<Item>)[0].objectID
        }
        try await rename(id, to: "Rye bread", in: container.newBackgroundContext())
        try await markAllDone(in: container)
        async let counts = watch(container, changes: 2)
        try await Task.sleep(for: .milliseconds(300))
        try await addBread(to: container)
        expect("a list is followed", try await counts == [1, 2])

        let coordinator = try open(folder.appending(path: "Shop.sqlite"), with: container.managedObjectModel)
        expect("a store is opened by its model", coordinator.persistentStores.count == 1)
        let memory = try containerInMemory()
        try await addMilk(to: memory)
        expect("a store in memory works", try await namesInTheFridge(of: memory) == ["Oat milk"])
        let history = NSPersistentContainer(name: "Shop", managedObjectModel: container.managedObjectModel)
        history.persistentStoreDescriptions = [descriptionWithHistory(at: folder.appending(path: "History.sqlite"))]
        history.loadPersistentStores { _, error in expect("a store with a history opens", error == nil) }
        let statements = try countsOfAList(in: container)
        expect("two reads in a transaction are four statements, not \(statements)", statements == 4)
        expect("a server finds names", try await ItemList(container: container).names(containing: "BREAD").count == 2)
        expect("a wrong format is an error", predicate(typedByAUser: "name ==") == nil)
        expect("a right one is none", predicate(typedByAUser: "name == 'a'") != nil)
        predicates()
        expect("a format is printed", formats().description.hasPrefix("name CONTAINS[cd] \"milk\""))
        expect("a Swift predicate is one", swiftPredicates()?.description.contains("quantity > 10") == true)
        print("guide: the listings of the articles work")
    }

    static func addBread(to container: NSPersistentContainer) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let item = Item(context: context)
            item.name = "Bread"
            try context.save()
        }
    }
}
