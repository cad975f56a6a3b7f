// Warnings about faulty properties, each logged once. Called when values are read and set, and by key-value coding.
import Synchronization

extension Diagnosis {
    private static let reported = Mutex<Set<ObjectIdentifier>>([])
    /// Unknown keys by entity, of which the first thousand are logged: keys may come from outside.
    private static let unknownKeys = Mutex<Set<String>>([])

    /// Warns once in the life of the process of faults in a property's values.
    static func warnOnce(_ slot: Slot, _ message: @autoclosure () -> String) {
        // Slots are never freed, so that none takes on another's identity.
        guard reported.withLock({ $0.insert(ObjectIdentifier(slot)).inserted }) else { return }
        let text = message()
        log.warning("\(text)")
    }

    /// Warns once in the life of the process of a key that an entity does not have.
    static func warnOnce(_ layout: ObjectLayout, _ key: String, _ message: @autoclosure () -> String) {
        let isNew = unknownKeys.withLock { keys in
            keys.count < 1000 && keys.insert("\(layout.number) \(key)").inserted
        }
        guard isNew else { return }
        let text = message()
        log.warning("\(text)")
    }
}
