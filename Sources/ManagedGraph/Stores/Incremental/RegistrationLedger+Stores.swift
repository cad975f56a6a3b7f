// Makes contexts record the objects that they register or unregister, and notifies incremental stores of them. Called by
// a new store, and at the end of a turn.
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// Makes the contexts of the coordinator record registrations: those that it has, and those that it gets.
    final func recordRegistrations() {
        // A context that is attached meanwhile clears its own flag, enters the list, then reads this one.
        recordsRegistrations.isOn = true
        for context in attached.contexts(where: { _ in true }) { context.registry.ledger.isOn = true }
    }
}

extension RegistrationLedger {
    /// Notifies the stores.
    func notify(_ coordinator: NSPersistentStoreCoordinator) {
        let changes = take()
        guard !changes.begun.isEmpty || !changes.ended.isEmpty else { return }
        for case let store as NSIncrementalStore in coordinator.persistentStores {
            func identifiers(_ keys: [ObjectKey]) -> [NSManagedObjectID] {
                keys.filter { $0.store == store.index }.map { key in
                    let layout = coordinator.compiledModel.layouts[Int(key.entity)]
                    return NSManagedObjectID(layout: layout, key: key, store: store)
                }
            }
            let (begun, ended) = (identifiers(changes.begun), identifiers(changes.ended))
            store.calling {
                if !begun.isEmpty { store.managedObjectContextDidRegisterObjects(with: begun) }
                if !ended.isEmpty { store.managedObjectContextDidUnregisterObjects(with: ended) }
            }
        }
    }
}
