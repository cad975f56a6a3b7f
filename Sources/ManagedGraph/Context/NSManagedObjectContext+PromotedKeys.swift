// A child context that follows its root's saves: what it knows by temporary keys gets the permanent ones. Called by PromotedKeys
// when it is about to drop old keys.

extension NSManagedObjectContext {
    /// Puts what this context knows by temporary keys under the permanent ones, when its queue comes to it.
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
        for slot in edits.values.indices {
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
