// Pages of a batched fetch: faults that are filled together, a page at a time, when one of them is touched. Made by a
// fetch with a batch size; held by its objects until their page is loaded.
import GraphEngine
import GraphSQLite

/// The faults of one page.
final class FaultPage {
    /// The objects' keys, in one tree and one store.
    let keys: [Int64]
    let layout: ObjectLayout
    let store: Int32
    private(set) var isLoaded = false
    /// Rows read at once at most.
    static let limit = 500

    init(keys: [Int64], layout: ObjectLayout, store: Int32) {
        self.keys = keys
        self.layout = layout
        self.store = store
    }

    /// Reads the page's rows and gives them to those of its objects that are still faults.
    func load(in context: NSManagedObjectContext) throws {
        guard !isLoaded else { return }
        isLoaded = true
        try context.fill(keys: keys, layout: layout, store: store)
    }
}

/// The pages of the objects that are about to become faults, found by key.
struct FaultPages {
    /// Valid for the life of the process, as layouts are never freed.
    unowned(unsafe) private let tree: TreeLayout
    private let store: Int32
    private let pages: [FaultPage]
    /// The place of each key's page.
    private var places: [Int64: Int32]

    /// Divides keys of one tree and store into pages, in their order.
    ///
    /// O(n); finding a page is O(1).
    init(_ keys: [Int64], layout: ObjectLayout, store: Int32) {
        tree = layout.tree
        self.store = store
        places = Dictionary(minimumCapacity: keys.count)
        var pages: [FaultPage] = []
        for start in stride(from: 0, to: keys.count, by: FaultPage.limit) {
            let part = keys[start..<min(start + FaultPage.limit, keys.count)]
            for key in part { places[key] = Int32(pages.count) }
            pages.append(FaultPage(keys: Array(part), layout: layout, store: store))
        }
        self.pages = pages
    }

    /// The page that has a key of a tree, if one has.
    func page(of key: ObjectKey, _ tree: TreeLayout) -> FaultPage? {
        guard key.store == store, tree === self.tree else { return nil }
        return places[key.primaryKey].map { pages[Int($0)] }
    }
}
