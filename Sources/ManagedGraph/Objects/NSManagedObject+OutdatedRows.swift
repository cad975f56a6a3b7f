// Faults whose row a save of the coordinator has changed since it was read. Called when a fault fires.
import GraphEngine
import GraphSQLite

extension NSManagedObject {
    /// Drops a fault's row if a save of the coordinator has changed it since, and reads it again.
    ///
    /// Other faults of the same result are read with it, some hundreds at once.
    func refillOutdated() {
        guard let registry, registry.hasSaves else { return }
        guard let batch = snapshot, holdsReadMembersOnly, registry.mayBeOutdated(batch.readAt),
            let coordinator = registry.coordinator, coordinator.hasSaved(self, since: batch.readAt),
            let context = registry.context,
            context.generation == nil
        else { return }
        // The turn reads from the very snapshot that the row is of, or from an older one: there is nothing newer to be
        // read.
        if let began = context.snapshotBegan(key.store), began <= batch.readAt { return }
        dropReadRow()
        guard context.parentContext == nil else { return }
        var outdated: [NSManagedObject] = [self]
        var next = Int(row) + 1
        while next < batch.count, outdated.count < FaultPage.limit {
            let key = ObjectKey(
                entity: 0,
                store: self.key.store,
                primaryKey: batch.integer(TreeLayout.primaryKeyColumn, next)
            )
            next += 1
            guard let sibling = registry.object(for: key, tree: layout.tree.index), sibling.state.contains(.fault),
                sibling.holdsReadMembersOnly, sibling.snapshot === batch,
                coordinator.hasSaved(sibling, since: batch.readAt)
            else { continue }
            sibling.dropReadRow()
            outdated.append(sibling)
        }
        // A single one is read by the caller, which reports failures.
        guard outdated.count > 1 else { return }
        do {
            try context.fillOutdated(self, keys: outdated.map(\.key.primaryKey))
        } catch {
            Diagnosis.log.debug("Rows could not be read together and are read one by one: \(error)")
        }
    }
}
