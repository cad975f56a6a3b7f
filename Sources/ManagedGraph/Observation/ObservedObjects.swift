// The observers of objects: registrars for Swift's Observation, and plain callbacks. Stored beside the objects, as most
// objects have no observers; an object with an entry here carries the bit `observed`. Called by the slow path of reads
// and before a change.
import Foundation
import GraphEngine
import Observation
import Synchronization

/// The observers of all observed objects.
enum ObservedObjects {
    private final class Entry: @unchecked Sendable {
        let registrar = ObservationRegistrar()
        /// Slots that tracking blocks have read.
        var slots: Set<Int> = []
        var observationInfo: UnsafeMutableRawPointer?
        /// Called on the context's queue; an observation can end on any thread.
        private let callbacks = Mutex(Callbacks())

        private struct Callbacks {
            var bodies: [Int: UnsafeTransfer<() -> Void>] = [:]
            var latest = 0
        }

        func call() {
            // A callback may begin and end observations; one that has ended is not called any more.
            for number in callbacks.withLock({ $0.bodies.keys.sorted() }) {
                if let body = callbacks.withLock({ $0.bodies[number] }) { body.value() }
            }
        }

        /// Adds a callback and returns its number.
        func add(_ callback: @escaping () -> Void) -> Int {
            let body = UnsafeTransfer(callback)
            return callbacks.withLock { callbacks in
                callbacks.latest += 1
                callbacks.bodies[callbacks.latest] = body
                return callbacks.latest
            }
        }

        func removeCallback(_ number: Int) {
            // Releasing a callback can run code of the program, which must not run under the lock.
            let body = callbacks.withLock { $0.bodies.removeValue(forKey: number) }
            withExtendedLifetime(body) {}
        }

        func notify(_ object: NSManagedObject, _ slot: Int) {
            registrar.willSet(object, keyPath: \NSManagedObject.[observed: slot])
            registrar.didSet(object, keyPath: \NSManagedObject.[observed: slot])
        }
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    private static func entry(of object: NSManagedObject) -> Entry? {
        guard object.state.contains(.observed) else { return nil }
        return entries.withLock { $0[ObjectIdentifier(object)] }
    }

    private static func makeEntry(of object: NSManagedObject) -> Entry {
        object.state.insert(.observed)
        return entries.withLock { entries in
            if let existing = entries[ObjectIdentifier(object)] { return existing }
            let newEntry = Entry()
            entries[ObjectIdentifier(object)] = newEntry
            return newEntry
        }
    }

    /// Records that a property was read, if a tracking block is running.
    static func noteAccess(_ object: NSManagedObject, _ slot: Int) {
        guard slot >= 0, TrackingProbe.isTracking else { return }
        let entry = makeEntry(of: object)
        entry.slots.insert(slot)
        entry.registrar.access(object, keyPath: \NSManagedObject.[observed: slot])
    }

    /// Reports that a property is about to change.
    static func noteChange(_ object: NSManagedObject, _ slot: Int) {
        guard let entry = entry(of: object) else { return }
        entry.call()
        if entry.slots.contains(slot) { entry.notify(object, slot) }
    }

    /// Reports that any property may have changed: the object was refreshed, rolled back or merged.
    static func noteAllChanges(_ object: NSManagedObject) {
        guard let entry = entry(of: object) else { return }
        entry.call()
        for slot in entry.slots { entry.notify(object, slot) }
    }

    /// The values of properties that tracking blocks have read, before the row is read again.
    static func trackedValues(_ object: NSManagedObject) -> [(slot: Int, value: Value)] {
        guard let entry = entry(of: object) else { return [] }
        return entry.slots.sorted().map { ($0, object.currentValue($0).detached) }
    }

    /// Reports properties whose values now differ to tracking blocks; always reports to-many relationships.
    static func noteDifferences(_ object: NSManagedObject, from former: [(slot: Int, value: Value)]) {
        guard let entry = entry(of: object) else { return }
        for (slot, value) in former {
            let isSame: Bool =
                switch object.layout.slots[slot].kind {
                case .attribute, .toOne: object.currentValue(slot).isSame(as: value)
                case .toMany, .fetched: false
                }
            if !isSame { entry.notify(object, slot) }
        }
    }

    /// Calls the callbacks as before a change.
    static func announce(_ object: NSManagedObject) {
        entry(of: object)?.call()
    }

    static func add(_ object: NSManagedObject, _ callback: @escaping () -> Void) -> Int {
        makeEntry(of: object).add(callback)
    }

    /// Removes a callback; can be called on any thread, so it does not read the object's state.
    static func remove(_ object: NSManagedObject, callback: Int) {
        let entry = entries.withLock { $0[ObjectIdentifier(object)] }
        entry?.removeCallback(callback)
    }

    static func observationInfo(_ object: NSManagedObject) -> UnsafeMutableRawPointer? {
        entry(of: object)?.observationInfo
    }

    static func setObservationInfo(_ info: UnsafeMutableRawPointer?, _ object: NSManagedObject) {
        makeEntry(of: object).observationInfo = info
    }

    /// Removes the entry of an object that is being deallocated.
    static func forget(_ identifier: ObjectIdentifier) {
        let removedEntry = entries.withLock { $0.removeValue(forKey: identifier) }
        withExtendedLifetime(removedEntry) {}
    }
}

extension NSManagedObject {
    /// Stands for a property in the key paths that identify it to Observation.
    subscript(observed slot: Int) -> Int { slot }
}
