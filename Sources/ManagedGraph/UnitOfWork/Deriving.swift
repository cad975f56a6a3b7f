// Derived attributes at a save: those that depend on the object alone are computed here, those that depend on other rows
// by triggers of the store, whose results come back.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL

/// A value that a trigger has set.
struct DerivedValue {
    var key: ObjectKey
    var property: String
    var value: SQLValue
}

extension NSManagedObject {
    /// Computes the derived attributes of an object that is about to be written.
    func derive() {
        guard let edits else { return }
        for slot in layout.derivedSlots {
            guard let derivation = layout.slots[slot].derivation else { continue }
            let value = derivedValue(derivation, type: layout.slots[slot].type)
            if !edits.values[slot].isAbsent, edits.values[slot].isSame(as: value) { continue }
            let own = edits.values[slot]
            if edits.changed.insert(slot), !own.isAbsent {
                edits.committed = (edits.committed ?? [:]).merging([slot: own]) { _, new in new }
            }
            edits.values[slot] = value
        }
    }

    private func derivedValue(_ derivation: Derivation, type: AttributeType) -> Value {
        switch derivation {
        case .now: return .real(Date().timeIntervalSinceReferenceDate)
        case .path(let path): return value(atPath: path).flatMap { Value($0, as: type) } ?? .null
        case .function(let name, let path):
            guard let text = value(atPath: path) as? String else { return .null }
            switch name {
            case "canonical":
                return .string(TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: true))
            case "uppercase": return .string(text.uppercased())
            case "lowercase": return .string(text.lowercased())
            default: return .null
            }
        case .count, .aggregate: return .null
        }
    }

    private func value(atPath path: [String]) -> Any? { value(forKeyPath: path.joined(separator: ".")) }
}

extension NSManagedObjectContext {
    /// Shows what triggers have set in the objects that are in memory; returns the identifiers of all.
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
            object.ensureEdits().values[slot] = Value(found.value, type: layout.slots[slot].type) ?? .null
        }
        return identifiers
    }
}
