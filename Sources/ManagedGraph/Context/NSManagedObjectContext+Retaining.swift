// The objects that a context keeps in memory. Called when an object enters the context, and by `reset()`.

extension NSManagedObjectContext {
    /// Implements the setter of `retainsRegisteredObjects`.
    final func retainObjects(_ isWanted: Bool) {
        retained = isWanted ? [:] : nil
        guard isWanted else { return }
        for object in registry.allObjects() { keep(object) }
        // A new object is registered when it is saved.
        for object in insertedList where object.state.contains(.inserted) && isOwn(object) { keep(object) }
    }

    final func keep(_ object: NSManagedObject) { retained?[ObjectIdentifier(object)] = object }

    final func forgetRetained() {
        if retained != nil { retained = [:] }
    }
}
