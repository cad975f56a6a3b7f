// The part of a layout that every read and write of a property needs, as plain memory, so that reading it counts no
// references. Made by ObjectLayout, one for each store, and never freed, like the layout itself.
import GraphModel
import GraphSQLite

/// A layout's slots as plain memory, for the objects of one store.
struct LayoutTable {
    /// The layout's number.
    let number: UInt32
    /// The index of the entity in its model.
    let entity: Int32
    /// The index of the entity's tree in its model.
    let tree: Int32
    /// The index of the objects' store in its coordinator; -1 for objects that were never saved.
    fileprivate(set) var store: Int32 = -1
    unowned(unsafe) let layout: ObjectLayout
    /// By slot: the column in a row batch, -1 if there is none.
    let columns: UnsafePointer<Int16>
    /// By slot: the attribute's type; `undefined` for a relationship.
    let types: UnsafePointer<AttributeType>

    /// By slot: for a to-one relationship, the entity of all of its destinations; -1 if each row names it, and for
    /// others.
    let destinations: UnsafePointer<Int32>
    /// The lists of the same names of the layout.
    let toOneSlots: UnsafeBufferPointer<Int>
    let toManySlots: UnsafeBufferPointer<Int>
    let ruleSlots: UnsafeBufferPointer<Int>
    let presenceSlots: UnsafeBufferPointer<(slot: Int, range: IntegerRange)>
    /// The values of a new object.
    let defaults: UnsafeBufferPointer<Value>
    /// Whether these own no memory, so that they can be copied as bytes.
    let hasPlainDefaults: Bool
    /// Whether a deletion changes other objects, and whether others can deny it.
    let hasDeleteRules: Bool
    let hasDenyRules: Bool
    /// Whether the entity has relationships.
    let hasRelationships: Bool
    /// Whether the entity has derived attributes.
    let derives: Bool

    /// Copies a layout's slots into memory of their own.
    init(of layout: ObjectLayout) {
        number = layout.number
        entity = Int32(truncatingIfNeeded: layout.index)
        tree = Int32(truncatingIfNeeded: layout.tree.index)
        self.layout = layout
        columns = Self.copy(layout.columns)
        types = Self.copy(layout.slots.map(\.type))
        destinations = Self.copy(
            layout.slots.map { slot in
                guard slot.kind == .toOne, !slot.storesDestinationEntity else { return -1 }
                return slot.destination.map { Int32(truncatingIfNeeded: $0) } ?? -1
            }
        )
        toOneSlots = Self.list(layout.toOneSlots)
        toManySlots = Self.list(layout.toManySlots)
        ruleSlots = Self.list(layout.ruleSlots)
        presenceSlots = Self.list(layout.presenceSlots)
        defaults = Self.list(layout.defaults)
        hasPlainDefaults = layout.defaults.allSatisfy(\.isPlain)
        hasDeleteRules = !(layout.ruledToOneSlots.isEmpty && layout.ruledToManySlots.isEmpty)
        hasDenyRules = !layout.denyingSlots.isEmpty
        hasRelationships = !(layout.toOneSlots.isEmpty && layout.toManySlots.isEmpty)
        derives = !layout.derivedSlots.isEmpty
    }

    private static func list<T>(_ values: [T]) -> UnsafeBufferPointer<T> {
        UnsafeBufferPointer(start: copy(values), count: values.count)
    }

    private static func copy<T>(_ values: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
        for (index, value) in values.enumerated() { (memory + index).initialize(to: value) }
        return UnsafePointer(memory)
    }

    /// The same table for the objects of another store.
    func copy(store: Int32) -> UnsafePointer<LayoutTable> {
        let memory = UnsafeMutablePointer<LayoutTable>.allocate(capacity: 1)
        memory.initialize(to: self)
        memory.pointee.store = store
        return UnsafePointer(memory)
    }
}
