// The identifiers of the rows of one view, in order, at 8 or 12 bytes a row, so that any part of a million rows can be
// read by key. Created by RowLists; immutable.
import GraphEngine
import ManagedGraph

/// The rows of a view.
struct RowList: @unchecked Sendable {
    // Unchecked: layouts are never freed and immutable, and a store's link may be used from any thread.
    private let layout: ObjectLayout?
    private let store: NSPersistentStore?
    private let keys: [Int64]
    /// The entity of each row, if the rows belong to several.
    private let entities: [Int32]
    /// The rows of a view that only objects can answer.
    private let objectIDs: [NSManagedObjectID]

    var count: Int { objectIDs.isEmpty ? keys.count : objectIDs.count }

    init(_ batch: RowBatch, layout: ObjectLayout, store: any RowStore) {
        self.layout = layout
        self.store = store
        objectIDs = []
        var keys: [Int64] = []
        keys.reserveCapacity(batch.count)
        for row in 0..<batch.count { keys.append(batch.integer(0, row)) }
        self.keys = keys
        var entities: [Int32] = []
        if layout.tree.isInTree {
            entities.reserveCapacity(batch.count)
            var last: (number: Int64, index: Int32) = (-1, Int32(layout.index))
            for row in 0..<batch.count {
                let number = batch.integer(1, row)
                if number != last.number {
                    last = (number, Int32(store.entityIndex(number: number) ?? layout.index))
                }
                entities.append(last.index)
            }
        }
        self.entities = entities
    }

    init(_ objectIDs: [NSManagedObjectID]) {
        (layout, store, keys, entities) = (nil, nil, [], [])
        self.objectIDs = objectIDs
    }

    /// The identifiers of a part of the rows.
    func objectIDs(_ range: Range<Int>) -> [NSManagedObjectID] {
        let range = range.clamped(to: 0..<count)
        guard let layout, let store else { return Array(objectIDs[range]) }
        return range.map { place in
            let layout = entities.isEmpty ? layout : layout.model.layouts[Int(entities[place])]
            let key = ObjectKey(entity: Int32(layout.index), store: store.index, primaryKey: keys[place])
            return NSManagedObjectID(layout: layout, key: key, store: store)
        }
    }

    /// The place of an object; nil if it is not among the rows.
    ///
    /// O(rows).
    func place(of id: NSManagedObjectID) -> Int? {
        if layout == nil { return objectIDs.firstIndex(of: id) }
        return keys.indices.first {
            keys[$0] == id.key.primaryKey && (entities.isEmpty || entities[$0] == id.key.entity)
        }
    }
}
