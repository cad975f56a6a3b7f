// Pages of a batched fetch: faults that are filled together, a page at a time, when one of them is touched. Made by a
// fetch with a batch size; held by its objects until their page is loaded.
import GraphEngine
import GraphSQLite

/// The faults of one page.
class FaultPage {
    /// The objects' keys, in one tree and one store.
    final fileprivate(set) var keys: [Int64]
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

    /// Reads the page's rows and fills those of its objects that are still faults.
    final func load(in context: NSManagedObjectContext) throws {
        guard !isLoaded else { return }
        isLoaded = true
        try context.fill(keys: keys, layout: layout, store: store)
    }
}

/// Objects of one origin.
///
/// They keep the page after they are filled, so that each finds its siblings.
///
/// Made only if the context's faultingPolicy is not `allow`.
class SiblingPage: FaultPage {
    final let origin: FaultOrigin
    /// Whether all rows are read when one of the objects is touched, as those of a batched fetch.
    final let isBatch: Bool
    /// Objects read ahead for the objects of the page; kept alive as long as the page.
    ///
    /// Their own pages were made later than this one, and objects keep their pages, so that no page can lead back to
    /// itself.
    final var companions: [NSManagedObject] = []
    /// Whether one of its faults has fired: `object(with:)` begins another page then.
    final var hasFired = false
    private var lastPosition = 0

    init(keys: [Int64], layout: ObjectLayout, store: Int32, origin: FaultOrigin, isBatch: Bool = false) {
        self.origin = origin
        self.isBatch = isBatch
        super.init(keys: keys, layout: layout, store: store)
    }

    override final var siblings: SiblingPage? { self }

    /// The walk that counts the firings of these faults.
    var valuesWalk: FaultWalk { origin.walk("") }
    /// The entity that a report of it names.
    var reportedEntity: String { layout.name }

    /// Whether an object can be one of this page: all of them are in one tree and one store.
    final func hasRoom(for object: NSManagedObject) -> Bool {
        object.key.store == store && object.layout.tree === layout.tree
    }

    final func append(_ key: Int64) { keys.append(key) }

    /// Makes this the page of its objects that have none.
    final func adoptObjects(in registry: ObjectRegistry) {
        for key in keys {
            guard let object = registry.object(for: objectKey(key), tree: layout.tree.index), object.page == nil else {
                continue
            }
            object.page = self
        }
    }

    /// The objects around one of them that `isWanted` admits, itself first and those after it before those ahead of
    /// it.
    ///
    /// O(limit), and O(keys) if it is far from the previously requested one.
    final func neighbours(
        of key: Int64,
        limit: Int,
        in registry: ObjectRegistry,
        where isWanted: (NSManagedObject) -> Bool
    ) -> [NSManagedObject] {
        guard let position = position(of: key) else { return [] }
        lastPosition = position
        var result: [NSManagedObject] = []
        func take(_ index: Int) {
            guard let object = registry.object(for: objectKey(keys[index]), tree: layout.tree.index),
                object.state.isDisjoint(with: [.gone, .inaccessible, .inserted]), isWanted(object)
            else { return }
            result.append(object)
        }
        // Bounded, as the objects around it may all have been read before.
        let reach = Self.limit * 4
        for index in position..<min(keys.count, position + reach) where result.count < limit { take(index) }
        for index in (max(0, position - reach)..<position).reversed() where result.count < limit { take(index) }
        return result
    }

    private func position(of key: Int64) -> Int? {
        keys[lastPosition...].firstIndex(of: key) ?? keys[..<lastPosition].firstIndex(of: key)
    }

    private func objectKey(_ primaryKey: Int64) -> ObjectKey {
        ObjectKey(entity: 0, store: store, primaryKey: primaryKey)
    }
}

/// The page of one fault that a to-one relationship of another object has led to.
final class DestinationPage: SiblingPage {
    /// The object that has the relationship, and its place in the identity map.
    let owner: ObjectKey
    let ownerLayout: ObjectLayout
    private let walk: FaultWalk

    init(key: ObjectKey, layout: ObjectLayout, owner: NSManagedObject, walk: FaultWalk) {
        self.owner = owner.key
        self.walk = walk
        ownerLayout = owner.layout
        super.init(keys: [key.primaryKey], layout: layout, store: key.store, origin: walk.reached)
    }

    override var valuesWalk: FaultWalk { walk }
    override var reportedEntity: String { ownerLayout.name }
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
