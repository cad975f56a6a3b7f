// An entity as used by engines: its properties by slot, and its inheritance tree. Built once with the model's layout
// and never freed; immutable.
import GraphModel

/// The slots of an entity's properties, and their places in the rows of its inheritance tree.
package final class EntityLayout: @unchecked Sendable {
    /// The index in the model.
    package let index: Int
    package let name: String
    /// The inheritance tree, whose rows have one shape and one sequence of keys.
    package let tree: TreeLayout
    /// All properties by slot, including inherited ones and elements of composite attributes.
    package let properties: [PropertyLayout]
    /// The slots of to-many relationships.
    package let toManySlots: [Int]
    /// The attributes of each uniqueness constraint of the entity and its superentities.
    package let uniquenessConstraints: [[String]]
    /// The entity and all its subentities, by index in the model.
    package let family: [Int]
    /// The attributes whose values the history preserves when a row is deleted, by name.
    package let preservedSlots: [Int]
    /// The slots in the bit order of changed columns: attributes by name, then relationships.
    package let historyOrder: [Int]
    /// The number of each slot in that order.
    package let historyNumbers: [Int: Int]
    private let slotByName: [String: Int]
    /// The entity's model, which sets itself here.
    @exclusivity(unchecked) package internal(set) unowned(unsafe) var model: ModelLayout!

    package init(
        index: Int,
        name: String,
        tree: TreeLayout,
        properties: [PropertyLayout],
        uniquenessConstraints: [[String]] = [],
        family: [Int],
        preservedSlots: [Int] = [],
        historyOrder: [Int] = []
    ) {
        self.index = index
        self.name = name
        self.tree = tree
        self.properties = properties
        self.uniquenessConstraints = uniquenessConstraints
        self.family = family
        self.preservedSlots = preservedSlots
        self.historyOrder = historyOrder
        toManySlots = properties.indices.filter { properties[$0].kind == .toMany }
        historyNumbers = Dictionary(uniqueKeysWithValues: historyOrder.enumerated().map { ($1, $0) })
        slotByName = Dictionary(properties.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The slot of a property.
    ///
    /// O(1).
    package func slot(named name: String) -> Int? { slotByName[name] }

    /// Whether this entity is `other` or one of its subentities.
    ///
    /// O(family size).
    package func isKind(of other: EntityLayout) -> Bool {
        self === other || other.family.contains(index)
    }

    /// The destination entity of a relationship; nil for an attribute.
    package func destination(_ slot: Int) -> EntityLayout? {
        properties[slot].destination.map { model.entities[$0] }
    }
}
