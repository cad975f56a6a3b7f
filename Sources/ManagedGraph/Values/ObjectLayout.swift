// An entity compiled for use: the slot of each property, the column of a row batch it is read from, and its needs at
// validation. Built once when a model is first used; read by objects, contexts and stores; immutable.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import Synchronization

/// A compiled entity.
package final class ObjectLayout: @unchecked Sendable {
    /// Unique in the process; 0 is none.
    let number: UInt32
    /// The slots as accessors read them.
    let table: UnsafePointer<LayoutTable>
    private let storeTables = StoreTables()
    /// The latest type of results whose fit for the classes of the entity and its subentities was checked.
    private let checkedType = Atomic<UInt>(0)
    /// Index in the compiled model.
    package let index: Int
    package let name: String
    /// The inheritance tree; the identity map keeps one index per tree.
    package let tree: TreeLayout
    /// All properties, inherited ones included: attributes, to-one, to-many, fetched.
    package let slots: [Slot]
    /// Column of the tree's row batch by slot, -1 if there is none.
    package let columns: [Int16]
    let slotByName: [String: Int]
    let objectClass: NSManagedObject.Type
    package let isAbstract: Bool
    /// The rules of `validate<Key>` and of the model, by slot; nil if there are no rules.
    package let validators: [PropertyValidation?]
    /// Slots whose value needs only to be there and, for an integer, to be in range.
    let presenceSlots: [(slot: Int, range: IntegerRange)]
    let computed: [String: @Sendable (NSManagedObject) -> Any?]
    /// Slots with any further rule; all properties if the class validates each.
    let ruleSlots: [Int]
    /// Whether the class replaces `validateValue(_:forKey:)`.
    let asksEveryKey: Bool
    /// Whether the class replaces the form of `validateValue(_:forKey:)` that takes a pointer.
    let validatesByPointer: Bool
    /// Whether the class replaces `value(forKey:)`.
    let answersEveryKey: Bool
    package let toOneSlots: [Int]
    /// Whether an attribute's transformer, which is code of the program, can run when a row is written.
    let hasTransformers: Bool
    /// Slots that a row or a relationship table stores.
    let storedSlots: SlotSet
    /// Derived attributes.
    package let derivedSlots: [Int]
    package let toManySlots: [Int]
    /// Relationships whose delete rule has an effect: the to-one ones, the to-many ones, those that deny a deletion.
    let ruledToOneSlots: [Int]
    let ruledToManySlots: [Int]
    let denyingSlots: [Int]
    /// Values of a new object.
    package let defaults: [Value]
    /// The engines' view of the entity; set while the model is compiled, not after.
    @exclusivity(unchecked) package internal(set) unowned(unsafe) var stored: EntityLayout!
    /// Set while the model is compiled, not after.
    @exclusivity(unchecked) package internal(set) unowned(unsafe) var model: CompiledModel!
    package let entity: NSEntityDescription
    /// Itself and every entity below it, by index in the model.
    package internal(set) var family: [Int] = []

    private static let counter = Atomic<UInt32>(0)

    init(entity: NSEntityDescription, index: Int, tree: TreeLayout, indexOf: (NSEntityDescription) -> Int?) {
        number = Self.counter.add(1, ordering: .relaxed).newValue
        self.index = index
        self.entity = entity
        self.tree = tree
        name = entity.name ?? ""
        let registered = ManagedObjectRegistry.findClass(named: entity.managedObjectClassName ?? "", entity: name)
        objectClass = registered.type
        isAbstract = entity.isAbstract
        computed = registered.computed

        let list = SlotList(entity, tree, indexOf: indexOf)
        slots = list.slots
        columns = list.columns
        slotByName = list.slotByName
        let table = UnsafeMutablePointer<LayoutTable>.allocate(capacity: 1)
        self.table = UnsafePointer(table)
        let slots = list.slots
        validators = slots.map { slot in
            let rules = PropertyValidation(
                model: PropertyValidator(slot.property),
                custom: registered.validators[slot.name]
            )
            return rules.model.hasRules || rules.custom != nil ? rules : nil
        }
        let checks = validators
        validatesByPointer = ClassOverrides.replacesPointerValidation(objectClass)
        let asksEveryKey = validatesByPointer || ClassOverrides.replacesValidateValue(objectClass)
        self.asksEveryKey = asksEveryKey
        answersEveryKey = ClassOverrides.replacesValueForKey(objectClass)
        let isPresence = { (slot: Int) in
            !asksEveryKey && (checks[slot].map { $0.custom == nil && $0.model.isPresenceAndRange } ?? false)
        }
        presenceSlots = slots.indices.filter(isPresence).map { slot in
            (slot, IntegerRange(checks[slot]?.model.integerRange ?? Int64.min...Int64.max))
        }
        ruleSlots = slots.indices.filter { slot in
            asksEveryKey
                ? slots[slot].kind != .fetched && slots[slot].composite < 0 : checks[slot] != nil && !isPresence(slot)
        }
        derivedSlots = slots.indices.filter { slots[$0].derivation != nil && slots[$0].isStored }
        hasTransformers = slots.contains { $0.type == .transformable || $0.type == .undefined }
        var storedSlots = SlotSet()
        for slot in slots.indices where slots[slot].isStored { storedSlots.insert(slot) }
        self.storedSlots = storedSlots
        toOneSlots = slots.indices.filter { slots[$0].kind == .toOne }
        toManySlots = slots.indices.filter { slots[$0].kind == .toMany }
        ruledToOneSlots = toOneSlots.filter { slots[$0].deleteRule != .noActionDeleteRule }
        ruledToManySlots = toManySlots.filter { slots[$0].deleteRule != .noActionDeleteRule }
        denyingSlots = (toOneSlots + toManySlots).filter { slots[$0].deleteRule == .denyDeleteRule }
        defaults = slots.map(\.initialValue)
        table.initialize(to: LayoutTable(of: self))
    }

    /// Whether the classes of the entity and its subentities were found to be of this type at the latest check.
    func hasChecked(_ type: Any.Type) -> Bool {
        checkedType.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(type))
    }

    /// Notes that they are of this type.
    func noteChecked(_ type: Any.Type) {
        checkedType.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .relaxed)
    }

    /// The table for objects of a store; -1 is for those that were never saved.
    @inline(__always)
    func table(store: Int32) -> UnsafePointer<LayoutTable> { storeTables.table(store, table) }

    /// The slot of a property.
    ///
    /// O(1).
    package func slot(named name: String) -> Int? { slotByName[name] }

    /// The slot of the property that key-value coding sets for a key.
    ///
    /// The setter of the keys `date` and `Date` is `setDate:`.
    func slot(setBy key: String) -> Int? {
        if let slot = slotByName[key] { return slot }
        guard let first = key.first, first.isUppercase else { return nil }
        return slotByName[first.lowercased() + key.dropFirst()]
    }

    /// The property that a slot is part of, or the slot itself.
    func whole(_ slot: Int) -> Int {
        var whole = slot
        while slots[whole].composite >= 0 { whole = slots[whole].composite }
        return whole
    }

    /// Whether this entity is `other` or below it.
    ///
    /// O(family size).
    package func isKind(of other: ObjectLayout) -> Bool {
        self === other || (model === other.model && other.family.contains(index))
    }

    /// The layout of an entity; compiles the entity's model on first use.
    @inline(__always)
    static func of(_ entity: NSEntityDescription) -> ObjectLayout {
        if let layout = entity.compiledLayout { return layout }
        return compile(entity)
    }

    /// The layout of objects that were made of no model's entity; they have no properties.
    private static var ofNoModel: ObjectLayout { of(modelOfNone.value.entities[0]) }

    private static let modelOfNone = {
        let entity = NSEntityDescription()
        entity.name = "NSManagedObject"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return UnsafeTransfer(model)
    }()

    @inline(never)
    private static func compile(_ entity: NSEntityDescription) -> ObjectLayout {
        guard let model = entity.owner else {
            // Of a class that no model in use has: logged at the look-up.
            if entity.name == nil { return ofNoModel }
            preconditionFailure(
                "The entity \(entity.name ?? "without a name") belongs to no model. "
                    + "Put it into an NSManagedObjectModel before making objects of it."
            )
        }
        _ = CompiledModel.of(model)
        guard let layout = entity.compiledLayout else {
            preconditionFailure("The entity \(entity.name ?? "") is not listed in its model's entities.")
        }
        return layout
    }
}

extension ObjectLayout {
    /// Fills in each relationship's inverse slot.
    func linkInverses(in layouts: [ObjectLayout]) {
        for slot in slots where slot.kind == .toOne || slot.kind == .toMany {
            guard let destination = slot.destination, let inverse = slot.inverseName else { continue }
            guard let inverseNumber = layouts[destination].slot(named: inverse) else { continue }
            let back = layouts[destination].slots[inverseNumber]
            // An inverse that does not name this relationship is kept as declared, in one direction, as long as it can
            // hold these objects. Two to-many sides must agree: they share their rows.
            guard let target = back.destination, isRelated(to: layouts[target]),
                slot.kind == .toOne || back.kind == .toOne || back.inverseName == slot.name
            else { continue }
            slot.inverseSlot = inverseNumber
        }
    }

    private func isRelated(to other: ObjectLayout) -> Bool {
        entity.isKindOf(entity: other.entity) || other.entity.isKindOf(entity: entity)
    }
}
