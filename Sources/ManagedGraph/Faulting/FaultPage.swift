// Pages of a batched fetch: faults that are filled together, a page at a time, when one of them is touched. Made by a
// fetch with a batch size; held by its objects until their page is loaded.

/// The faults of one page.
class FaultPage {
    /// The objects' keys, in one tree and one store.
    final private(set) var keys: [Int64]
    final let layout: ObjectLayout
    final let store: Int32
    final private(set) var isLoaded = false
    /// The maximum number of rows read at once.
    static let limit = 500

    init(keys: [Int64], layout: ObjectLayout, store: Int32) {
        self.keys = keys
        self.layout = layout
        self.store = store
    }

    /// This page, if it records the origin of its objects.
    var siblings: SiblingPage? { nil }

    /// Adds an object that joins its siblings.
    final func append(_ key: Int64) { keys.append(key) }

    /// Reads the page's rows and fills those of its objects that are still faults.
    final func load(in context: NSManagedObjectContext) throws {
        guard !isLoaded else { return }
        isLoaded = true
        try context.fill(keys: keys, layout: layout, store: store)
    }
}
