// The rows that a history records once a save has written them. Called by engines that keep a history.

extension StoreChanges {
    /// Passes new rows, and the changed relationships of both ends.
    ///
    /// - Parameters:
    ///   - inserted: Called with the entity and the key of a new row.
    ///   - related: Called with the entity, the key and the slot of a changed relationship.
    package func eachNewOrRelatedRow(
        inserted: (_ layout: EntityLayout, _ primaryKey: Int64) -> Void,
        related: (_ layout: EntityLayout, _ primaryKey: Int64, _ slot: Int) -> Void
    ) {
        for operation in inserts { inserted(operation.layout, operation.primaryKey) }
        for operation in joins {
            related(operation.layout, operation.source, operation.slot)
            let slot = operation.layout.properties[operation.slot]
            guard slot.inverseSlot >= 0, let destination = operation.layout.destination(operation.slot) else {
                continue
            }
            related(destination, operation.destination, slot.inverseSlot)
        }
        for operation in owners {
            if let source = operation.source { related(operation.layout, source, operation.slot) }
        }
        for operation in orders { related(operation.layout, operation.source, operation.slot) }
    }
}
