// Replaces temporary keys in a child context after its root has saved. Called by PromotedKeys before it drops old keys.

extension NSManagedObjectContext {
    /// Replaces this context's temporary keys by permanent ones, asynchronously on its queue.
    final func catchUpSoon(with keys: PromotedKeys) {
        queue.asyncIfAlive(self) { context in
            let serial = keys.serial
            for object in context.registry.allObjects() { context.adoptPermanentKeys(in: object, keys) }
            context.caughtUp.store(serial, ordering: .relaxed)
        }
    }

    private final func adoptPermanentKeys(in object: NSManagedObject, _ keys: PromotedKeys) {
        let key = keys.current(object.key)
        if key != object.key { rename(object, key) }
        guard let edits = object.edits else { return }
        for slot in object.layout.slots.indices {
            switch edits.values[slot] {
            case .reference(let key) where key.isTemporary: edits.values[slot] = .reference(keys.current(key))
            case .toMany(let members): members.renameStored(keys.current)
            default: continue
            }
        }
        for (slot, value) in edits.committed ?? [:] {
            if case .reference(let key) = value { edits.committed?[slot] = .reference(keys.current(key)) }
        }
    }
}
