// Who watches which object: registrars for Swift's Observation, and plain callbacks. Kept beside the objects, as most are
// watched by nobody; an object that has an entry here carries the bit `observed`. Called by the slow way of reading, and
// before a change.
import CSwiftRuntime
import Foundation
import Observation
import Synchronization

/// The watchers of all watched objects.
enum ObservedObjects {
    private final class Entry: @unchecked Sendable {
        let registrar = ObservationRegistrar()
        /// Slots that tracking blocks have read.
        var slots: Set<Int> = []
        var callbacks: [Int: () -> Void] = [:]
        var nextCallback = 0
        var observationInfo: UnsafeMutableRawPointer?

        func call() {
            for callback in callbacks.sorted(by: { $0.key < $1.key }) { callback.value() }
        }

        func tell(_ object: NSManagedObject, _ slot: Int) {
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
            if let known = entries[ObjectIdentifier(object)] { return known }
            let made = Entry()
            entries[ObjectIdentifier(object)] = made
            return made
        }
    }

    /// A property was read: a tracking block that is at work wants to hear of its next change.
    static func noteAccess(_ object: NSManagedObject, _ slot: Int) {
        guard slot >= 0, TrackingProbe.isTracking else { return }
        let entry = makeEntry(of: object)
        entry.slots.insert(slot)
        entry.registrar.access(object, keyPath: \NSManagedObject.[observed: slot])
    }

    /// A property is about to change.
    static func noteChange(_ object: NSManagedObject, _ slot: Int) {
        guard let entry = entry(of: object) else { return }
        entry.call()
        if entry.slots.contains(slot) { entry.tell(object, slot) }
    }

    /// Any property may have changed: the object was refreshed, rolled back or merged.
    static func noteAllChanges(_ object: NSManagedObject) {
        guard let entry = entry(of: object) else { return }
        entry.call()
        for slot in entry.slots { entry.tell(object, slot) }
    }

    /// The values of properties that tracking blocks have read, before the row is read anew.
    static func trackedValues(_ object: NSManagedObject) -> [(slot: Int, value: Value)] {
        guard let entry = entry(of: object) else { return [] }
        return entry.slots.sorted().map { ($0, object.currentValue($0).detached) }
    }

    /// Tells tracking blocks of the properties that have other values now; of relationships to many, whatever they have.
    static func noteDifferences(_ object: NSManagedObject, from former: [(slot: Int, value: Value)]) {
        guard let entry = entry(of: object) else { return }
        for (slot, value) in former {
            let isSame: Bool =
                switch object.layout.slots[slot].kind {
                case .attribute, .toOne: object.currentValue(slot).isSame(as: value)
                case .toMany, .fetched: false
                }
            if !isSame { entry.tell(object, slot) }
        }
    }

    /// The object says that something about it is about to change.
    static func announce(_ object: NSManagedObject) {
        entry(of: object)?.call()
    }

    static func add(_ object: NSManagedObject, _ callback: @escaping () -> Void) -> Int {
        let entry = makeEntry(of: object)
        entry.nextCallback += 1
        entry.callbacks[entry.nextCallback] = callback
        return entry.nextCallback
    }

    static func remove(_ object: NSManagedObject, callback: Int) {
        entry(of: object)?.callbacks[callback] = nil
    }

    static func observationInfo(_ object: NSManagedObject) -> UnsafeMutableRawPointer? {
        entry(of: object)?.observationInfo
    }

    static func setObservationInfo(_ info: UnsafeMutableRawPointer?, _ object: NSManagedObject) {
        makeEntry(of: object).observationInfo = info
    }

    /// The object dies.
    static func forget(_ identifier: ObjectIdentifier) {
        let gone = entries.withLock { $0.removeValue(forKey: identifier) }
        withExtendedLifetime(gone) {}
    }
}

/// Finds out whether a tracking block is at work on this thread, which the Observation library does not say: a key path
/// that it takes note of is hashed, and the hash function of this one's argument leaves a mark.
private final class TrackingProbe: Observable, Sendable {
    private struct Mark: Hashable {
        static func == (one: Mark, other: Mark) -> Bool { true }
        func hash(into hasher: inout Hasher) { managedgraph_setIsTracking(true) }
    }

    // One object holds all, so that asking costs no more than what the library does: ten nanoseconds in place of fifty.
    private static let shared = TrackingProbe()
    private let registrar = ObservationRegistrar()
    private let keyPath = \TrackingProbe.[Mark()]

    private subscript(mark: Mark) -> Int { 0 }

    static var isTracking: Bool { shared.check() }

    @inline(__always)
    private func check() -> Bool {
        managedgraph_setIsTracking(false)
        registrar.access(self, keyPath: keyPath)
        return managedgraph_isTracking()
    }
}

extension NSManagedObject {
    /// What stands for a property in the key paths that Observation knows objects' properties by.
    subscript(observed slot: Int) -> Int { slot }
}
