// Derived attributes at a save: those that depend on the object alone are computed here, the others by the store
// (its triggers, and DerivedPath), whose results come back. Called by the save.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL

/// A value that is in the store and that nobody has set: a derived one, or one that the file's format has changed.
struct DerivedValue {
    var key: ObjectKey
    var property: String
    var value: SQLValue
}

extension NSManagedObject {
    /// Computes the derived attributes of an object that is about to be written.
    ///
    /// What was set in one that the store computes is taken back.
    func derive() {
        guard let edits else { return }
        for slot in layout.derivedSlots {
            guard let derivation = layout.slots[slot].derivation else { continue }
            guard derivation.isOfTheObjectAlone else {
                guard edits.changed.contains(slot), !state.contains(.inserted) else { continue }
                edits.values[slot] = edits.committed?[slot] ?? .absent
                edits.committed?[slot] = nil
                edits.changed.remove(slot)
                continue
            }
            let value = derivedValue(derivation, type: layout.slots[slot].type)
            if currentValue(slot).isSame(as: value) { continue }
            let own = edits.values[slot]
            if edits.changed.insert(slot), !own.isAbsent {
                edits.committed = (edits.committed ?? [:]).merging([slot: own]) { _, new in new }
            }
            edits.values[slot] = value
        }
    }

    private func derivedValue(_ derivation: Derivation, type: AttributeType) -> Value {
        switch derivation {
        case .path(let path): value(atPath: path).flatMap { Value($0, as: type) } ?? .null
        case .function(let name, let path):
            (value(atPath: path) as? String).flatMap { Derivation.call(name, $0) }.map(Value.string) ?? .null
        case .count, .aggregate, .now: .null
        }
    }

    private func value(atPath path: [String]) -> Any? {
        path.first.flatMap { layout.slot(named: $0) }.map(publicValue) ?? nil
    }
}

extension Derivation {
    /// A function of a text; nil for an unknown one.
    static func call(_ name: String, _ text: String) -> String? {
        switch name {
        case "canonical": TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: true)
        case "uppercase": text.uppercased()
        case "lowercase": text.lowercased()
        default: nil
        }
    }
}

extension NSManagedObjectContext {
    /// Shows what the store has set in the objects that are in memory; returns the identifiers of all.
    final func take(_ derived: [DerivedValue]) -> Set<NSManagedObjectID> {
        guard let model = compiledModel else { return [] }
        var identifiers: Set<NSManagedObjectID> = []
        for found in derived {
            let layout = model.layouts[Int(found.key.entity)]
            guard let slot = layout.slot(named: found.property) else { continue }
            identifiers.insert(
                NSManagedObjectID(
                    layout: layout,
                    key: found.key,
                    store: registry.coordinator?.store(at: found.key.store)
                )
            )
            guard let object = registered(found.key, layout.tree), !object.isUnread, !object.state.contains(.gone)
            else {
                continue
            }
            if object.state.contains(.observed) { ObservedObjects.noteChange(object, slot) }
            object.ensureEdits().values[slot] = Value(found.value, type: layout.slots[slot].type) ?? .null
        }
        return identifiers
    }
}
