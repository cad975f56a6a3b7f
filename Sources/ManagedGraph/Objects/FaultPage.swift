// Pages of a batched fetch: faults that are filled together, a page at a time, when one of them is touched. Made by a
// fetch with a batch size; held by its objects until their page is loaded.
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
    private lazy var members = Set(keys)

    init(keys: [Int64], layout: ObjectLayout, store: Int32) {
        self.keys = keys
        self.layout = layout
        self.store = store
    }

    /// Whether the page has a key of a tree.
    func holds(_ key: ObjectKey, _ tree: TreeLayout) -> Bool {
        key.store == store && tree === layout.tree && members.contains(key.primaryKey)
    }

    /// Reads the page's rows and gives them to those of its objects that are still faults.
    func load(in context: NSManagedObjectContext) throws {
        guard !isLoaded else { return }
        isLoaded = true
        try context.fill(keys: keys, layout: layout, store: store)
    }
}
