// A property's name as generated accessors hold it, with the place where the last object kept the value.
// Used by NSManagedObject's typed accessors; it must stay free of any object or context.
import Synchronization

/// A property of a managed object class, as the generated accessors name it.
///
/// One static constant represents one property. It caches the slot of the layout that it was last used with, so that
/// reading a property costs one comparison and no look-up by name. Make it once: its memory is never freed.
public struct ManagedProperty: @unchecked Sendable {
    /// The shared state of all copies of a property.
    private struct Storage: ~Copyable {
        let name: String
        /// Layout number in the high half, slot in the low half.
        let cache = Atomic<UInt64>(0)
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Makes a property of this name.
    ///
    /// - Parameter name: The property's name in the model.
    public init(_ name: String) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(name: name))
    }

    /// The property's name in the model.
    public var name: String { storage.pointee.name }

    /// The property's slot in an object.
    ///
    /// O(1) if the last object had the same layout, otherwise one look-up by name.
    @inline(__always)
    func slot(in object: NSManagedObject) -> Int {
        let cached = storage.pointee.cache.load(ordering: .relaxed)
        if UInt32(truncatingIfNeeded: cached >> 32) == object.table.pointee.number {
            return Int(UInt32(truncatingIfNeeded: cached))
        }
        return findSlot(in: object.layout)
    }

    @inline(never)
    private func findSlot(in layout: ObjectLayout) -> Int {
        guard let slot = layout.slot(named: name) else {
            preconditionFailure(
                "The class \(layout.objectClass) declares the property \(name), which the entity \(layout.name) "
                    + "does not have. Add it to the model, or open the store with the model this class was made for."
            )
        }
        storage.pointee.cache.store(UInt64(layout.number) << 32 | UInt64(slot), ordering: .relaxed)
        return slot
    }
}
