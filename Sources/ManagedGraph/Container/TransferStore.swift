// Turns the objects of a store into rows in memory, for the move into a store with tables. Created by StoreMove.

/// A store that is filled with objects, never loaded or saved, and whose rows are copied into a store with tables.
final class TransferStore: NSAtomicStore {
    func open(_ model: CompiledModel, objects: [NSManagedObject]) throws {
        isNewInPlaceOfAnother = true
        try open(model)
        references = ReferenceMap()
        addCacheNodes(Set(objects.map { WholeFileNode(objectID: $0.objectID) }))
        for object in objects {
            if let node = cacheNode(for: object.objectID) { updateCacheNode(node, from: object) }
        }
        var rows = NodeRows(self, model)
        rows.versions = Self.versions(of: objects)
        try rows.fill()
    }
}
