// Which objects of incremental stores a context has begun or ceased to hold. Objects die on any thread, so that it is noted
// here and told to the stores when the context's turn ends. Costs one look at a flag where no such store exists.
import Synchronization

/// Objects to tell incremental stores of.
final class RegistrationLedger: Sendable {
    /// Whether the process has an incremental store.
    static let isWanted = Atomic<Bool>(false)

    private struct Entries {
        var begun: [ObjectKey] = []
        var ended: [ObjectKey] = []
    }

    private let entries = Mutex(Entries())

    func begin(_ key: ObjectKey) {
        guard key.store >= 0, key.primaryKey > 0 else { return }
        entries.withLock { $0.begun.append(key) }
    }

    func end(_ key: ObjectKey) {
        guard key.store >= 0, key.primaryKey > 0 else { return }
        entries.withLock { $0.ended.append(key) }
    }

    /// Tells the stores.
    func tell(_ coordinator: NSPersistentStoreCoordinator) {
        let found = entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        guard !found.begun.isEmpty || !found.ended.isEmpty else { return }
        for case let store as NSIncrementalStore in coordinator.persistentStores {
            func identifiers(_ keys: [ObjectKey]) -> [NSManagedObjectID] {
                keys.filter { $0.store == store.index }.map { key in
                    let layout = coordinator.compiledModel.layouts[Int(key.entity)]
                    return NSManagedObjectID(layout: layout, key: key, store: store)
                }
            }
            let (begun, ended) = (identifiers(found.begun), identifiers(found.ended))
            store.calling {
                if !begun.isEmpty { store.managedObjectContextDidRegisterObjects(with: begun) }
                if !ended.isEmpty { store.managedObjectContextDidUnregisterObjects(with: ended) }
            }
        }
    }
}
