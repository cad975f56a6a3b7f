// Applies values that the stores have computed to the objects in memory. Called after a commit.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// Sets values computed by the stores in the objects in memory; returns the identifiers of all affected objects.
    final func take(_ derived: [DerivedValue]) -> Set<NSManagedObjectID> {
        guard let model = compiledModel else { return [] }
        var identifiers: Set<NSManagedObjectID> = []
        for entry in derived {
            let layout = model.layouts[Int(entry.key.entity)]
            guard let slot = layout.slot(named: entry.property) else { continue }
            identifiers.insert(
                NSManagedObjectID(
                    layout: layout,
                    key: entry.key,
                    store: registry.coordinator?.store(at: entry.key.store)
                )
            )
            guard let object = registered(entry.key, layout.tree), !object.isUnread, !object.state.contains(.gone)
            else {
                continue
            }
            if object.state.contains(.observed) { ObservedObjects.noteChange(object, slot) }
            object.ensureEdits().values[slot] = Value(entry.value)
        }
        return identifiers
    }
}
