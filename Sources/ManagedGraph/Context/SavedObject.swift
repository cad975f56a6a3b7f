// An object of an observed save: its changed properties and their values, recorded before the save, which discards
// them. Used by NSManagedObjectContext+Activity.
import Foundation

/// An object with the changes that a save writes.
struct SavedObject {
    private let object: NSManagedObject
    /// A deleted object loses its identifier.
    private let objectID: NSManagedObjectID?
    private let properties: [String]
    private let changes: [StoreActivity.PropertyChange]

    /// Notes an object that is inserted or updated.
    init(_ object: NSManagedObject, recordsValues: Bool) {
        self.object = object
        objectID = nil
        properties = object.changedPropertyNames
        changes = recordsValues ? properties.map { Self.change($0, of: object) } : []
    }

    /// Notes an object that is deleted, without reading a fault.
    init(deleted object: NSManagedObject) {
        self.object = object
        objectID = object.objectID
        properties = []
        guard object.state.isDisjoint(with: [.fault, .gone, .inserted]) else {
            changes = []
            return
        }
        changes = object.layout.slots.compactMap { slot in
            guard slot.isStored, slot.kind == .attribute || slot.kind == .toOne, slot.composite < 0 else { return nil }
            guard Self.isRecorded(slot) else { return .init(slot.name, isRecorded: false) }
            return .init(slot.name, before: Self.value(object.committedValues(forKeys: [slot.name])[slot.name]))
        }
    }

    /// The object as the save has left it.
    var activity: StoreActivity.ChangedObject {
        .init(objectID: objectID ?? object.objectID, properties: properties, changes: changes.map { $0.identified() })
    }

    private static func change(_ name: String, of object: NSManagedObject) -> StoreActivity.PropertyChange {
        guard let slot = object.slot(forKey: name), isRecorded(object.layout.slots[slot]) else {
            return .init(name, isRecorded: false)
        }
        return .init(
            name,
            before: value(object.committedValues(forKeys: [name])[name]),
            after: value(object.primitiveValue(forKey: name))
        )
    }

    /// Whether the values of a property are immutable, and need no further reading.
    private static func isRecorded(_ slot: Slot) -> Bool {
        switch slot.kind {
        case .attribute: slot.type != .transformable && slot.type != .composite && slot.type != .undefined
        case .toOne: true
        case .toMany, .fetched: false
        }
    }

    private static func value(_ value: Any?) -> Any? { value is NSNull ? nil : value }
}

extension NSManagedObject {
    /// The names of the properties that a save writes, in the order of the model.
    fileprivate var changedPropertyNames: [String] {
        guard let edits, !state.contains(.gone) else { return [] }
        var names: [String] = []
        edits.changed.forEach { slot in
            guard !layout.slots[slot].isTransient, isReallyChanged(slot) else { return }
            let name = layout.slots[layout.whole(slot)].name
            if names.last != name { names.append(name) }
        }
        return names
    }
}
