// Where the framework reports what no error can carry.
import Logging
import Synchronization

/// Where the framework reports what no error can carry.
enum Diagnosis {
    static let log = Logger(label: "ManagedGraph")

    private static let told = Mutex<Set<ObjectIdentifier>>([])

    /// Warns once in the life of the process of what is wrong with a property's values.
    static func warnOnce(_ slot: Slot, _ message: @autoclosure () -> String) {
        // Slots are never freed, so that none takes on another's identity.
        guard told.withLock({ $0.insert(ObjectIdentifier(slot)).inserted }) else { return }
        let text = message()
        log.warning("\(text)")
    }
}
