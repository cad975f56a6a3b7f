// The slots of an entity while it is compiled. Made by ObjectLayout.
import GraphEngine
import GraphModel

/// The slots of an entity's properties, with the column of a row batch that each is read from.
struct SlotList {
    private(set) var slots: [Slot] = []
    /// -1 if there is none.
    private(set) var columns: [Int16] = []
    private(set) var slotByName: [String: Int] = [:]
    private let entity: NSEntityDescription
    private let tree: TreeLayout

    init(_ entity: NSEntityDescription, _ tree: TreeLayout, indexOf: (NSEntityDescription) -> Int?) {
        self.entity = entity
        self.tree = tree
        for property in entity.properties { add(property, path: "", isTransient: false, to: -1, indexOf) }
    }

    /// Adds a property; a composite attribute's elements have their own slots after it, named by their paths.
    private mutating func add(
        _ property: NSPropertyDescription,
        path: String,
        isTransient: Bool,
        to composite: Int,
        _ indexOf: (NSEntityDescription) -> Int?
    ) {
        let slot = Slot(property: property, path: path, isTransient: isTransient, of: entity, indexOf: indexOf)
        let number = slots.count
        slot.composite = composite
        slotByName[slot.name] = number
        columns.append(slot.isStored ? tree.column(named: slot.name, in: entity) : -1)
        slots.append(slot)
        if composite >= 0 { slots[composite].elements.append((property.name, number)) }
        for part in (property as? NSCompositeAttributeDescription)?.elements ?? [] {
            add(part, path: slot.name + ".", isTransient: slot.isTransient, to: number, indexOf)
        }
    }
}
