// Finds or makes the objects of rows, all at once. Called by fetches, faults and relationships.
import GraphEngine

extension NSManagedObjectContext {
    /// The objects of rows; each row has one object in this context, and may occur several times.
    ///
    /// The registry's lock is taken twice. Objects are made without it, as a class's initial values can run any code.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - layout: The layout of most rows.
    ///   - store: The index of the rows' store.
    /// - Returns: The objects in the order of the rows. O(rows).
    final func objects<Rows: ObjectRows>(of rows: Rows, _ layout: ObjectLayout, store: Int32) -> [NSManagedObject] {
        var rows = rows
        let tree = layout.tree.index
        if rows.count == 1 { return [object(of: &rows, layout, store: store)] }
        // The initializer below writes the count even into the storage that all empty arrays share.
        if rows.count == 0 { return [] }
        var repeated: [(row: Int, object: NSManagedObject)] = []
        var result = Array<NSManagedObject>(unsafeUninitializedCapacity: rows.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            // The same words in memory, of which nil ones stand for objects that do not exist.
            base.withMemoryRebound(to: NSManagedObject?.self, capacity: rows.count) { places in
                let mayExist = registry.withPages(store: store, tree: tree) { pages in
                    guard pages.count > 0 else { return false }
                    for row in 0..<rows.count { (places + row).initialize(to: pages.object(rows.primaryKey(row))) }
                    return true
                }
                var maker = FaultMaker(self, store: store, layout: layout)
                for row in 0..<rows.count {
                    if mayExist, let object = places[row] {
                        rows.reuse(object, row)
                    } else {
                        (places + row).initialize(to: rows.make(row, &maker))
                        keep(base[row])
                    }
                }
            }
            count = rows.count
            registry.withPages(store: store, tree: tree) { pages in
                for row in 0..<rows.count {
                    if let object = pages.enter(rows.primaryKey(row), base + row) { repeated.append((row, object)) }
                }
            }
        }
        for (row, object) in repeated { result[row] = object }
        return result
    }

    /// The object of the only row.
    private func object<Rows: ObjectRows>(
        of rows: inout Rows,
        _ layout: ObjectLayout,
        store: Int32
    ) -> NSManagedObject {
        let key = ObjectKey(entity: 0, store: store, primaryKey: rows.primaryKey(0))
        if let existing = registry.object(for: key, tree: layout.tree.index) {
            rows.reuse(existing, 0)
            return existing
        }
        var maker = FaultMaker(self, store: store, layout: layout)
        let object = rows.make(0, &maker)
        registry.withPages(store: store, tree: layout.tree.index) { $0.set(object.primaryKey, object) }
        keep(object)
        return object
    }
}
