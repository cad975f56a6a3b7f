// Pages with which contexts recognize objects that are read one by one. Made by fetches, `object(with:)` and to-one
// relationships.
import GraphEngine

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
