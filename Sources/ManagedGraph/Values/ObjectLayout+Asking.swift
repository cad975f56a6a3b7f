// Queries of a layout beyond its slots. Called by merges, batch requests and stores.

extension ObjectLayout {
    /// The inheritance tree of a relationship's destination.
    func tree(of slot: Int) -> Int {
        slots[slot].destination.map { model.layouts[$0].tree.index } ?? tree.index
    }

    /// The attributes of each uniqueness constraint of the entity and of those above it.
    var allUniquenessConstraints: [[String]] {
        var result: [[String]] = []
        var entity: NSEntityDescription? = self.entity
        while let next = entity {
            result += next.uniquenessConstraintNames
            entity = next.superentity
        }
        return result
    }
}
