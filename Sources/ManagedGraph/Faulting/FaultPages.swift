// The division of a fetch's keys into pages. Made by a fetch with a batch size before its objects become faults.
import GraphEngine

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
    init(_ keys: [Int64], layout: ObjectLayout, store: Int32, origin: FaultOrigin? = nil) {
        tree = layout.tree
        self.store = store
        places = Dictionary(minimumCapacity: keys.count)
        var pages: [FaultPage] = []
        for start in stride(from: 0, to: keys.count, by: FaultPage.limit) {
            let part = Array(keys[start..<min(start + FaultPage.limit, keys.count)])
            for key in part { places[key] = Int32(pages.count) }
            let page =
                origin.map { SiblingPage(keys: part, layout: layout, store: store, origin: $0, isBatch: true) }
                ?? FaultPage(keys: part, layout: layout, store: store)
            pages.append(page)
        }
        self.pages = pages
    }

    /// The page that has a key of a tree, if one has.
    func page(of key: ObjectKey, _ tree: TreeLayout) -> FaultPage? {
        guard key.store == store, tree === self.tree else { return nil }
        return places[key.primaryKey].map { pages[Int($0)] }
    }
}
