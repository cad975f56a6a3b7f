// Derived attributes that depend on the object alone, computed when it is written. Called by saves and by atomic
// stores.
import Foundation
import GraphModel
import GraphPredicates

extension NSManagedObject {
    /// Computes the derived attributes of an object that is about to be written.
    ///
    /// Discards values set for attributes that the store computes.
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
            let editedValue = edits.values[slot]
            if edits.changed.insert(slot), !editedValue.isAbsent {
                edits.committed = (edits.committed ?? [:]).merging([slot: editedValue]) { _, new in new }
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
