// Running the rules of the model and of the class on an object. Called by the save through the open methods of
// NSManagedObject; the rules themselves are in Validation/.
import Foundation

extension NSManagedObject {
    /// Checks every property that has rules; O(properties with rules).
    func validateProperties() throws {
        prepareToRead()
        var errors: [NSError]?
        for (slot, range) in layout.presenceSlots {
            // The common case is decided without boxing the value.
            switch currentValue(slot) {
            case .null: break
            case .integer(let value): if range.contains(value) { continue }
            default: continue
            }
            collect(slot, &errors)
        }
        for slot in layout.ruleSlots { collect(slot, &errors) }
        if let errors, let error = CoreDataError.combine(errors) { throw error }
    }

    private func collect(_ slot: Int, _ errors: inout [NSError]?) {
        do {
            let before = publicValue(slot)
            var value = before
            try validateOne(&value, slot: slot)
            if layout.slots[slot].kind == .attribute, !Self.isSame(before, value) { setPublicValue(value, slot: slot) }
        } catch {
            errors = (errors ?? []) + [error as NSError]
        }
    }

    private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return (one as AnyObject) === (other as AnyObject) || (one as? AnyHashable) == (other as? AnyHashable)
    }

    func validateOne(_ value: inout Any?, slot: Int) throws {
        guard let rules = layout.validators[slot] else { return }
        if let error = rules.model.error(for: value, of: self) { throw error }
        if let custom = rules.custom { try custom(self, &value) }
    }

    /// Whether a relationship with the rule deny has destinations.
    func validateDenyRules() throws {
        var errors: [NSError] = []
        for slot in layout.toOneSlots + layout.toManySlots where layout.slots[slot].deleteRule == .denyDeleteRule {
            let destinations =
                layout.slots[slot].kind == .toOne ? toOneObject(slot).map { [$0] } ?? [] : toManyMembers(slot)
            // What was deleted elsewhere denies nothing; only the store knows.
            for destination in destinations where destination.state.contains(.fault) { destination.fire() }
            let staying = destinations.filter { $0.state.isDisjoint(with: [.deleted, .gone, .inaccessible]) }
            if !staying.isEmpty {
                let name = layout.slots[slot].name
                errors.append(
                    CoreDataError.make(
                        NSValidationRelationshipDeniedDeleteError,
                        "\(layout.name) cannot be deleted while its \(name) has \(staying.count) "
                            + (staying.count == 1 ? "object." : "objects."),
                        remedy: "Empty the relationship \(name), or delete those objects first.",
                        userInfo: [
                            NSValidationObjectErrorKey: self,
                            NSValidationKeyErrorKey: name,
                            NSValidationValueErrorKey: publicValue(slot) ?? NSNull(),
                        ]
                    )
                )
            }
        }
        if let error = CoreDataError.combine(errors) { throw error }
    }
}
