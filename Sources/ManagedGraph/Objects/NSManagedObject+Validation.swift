// Running the rules of the model and of the class on an object. Called by the save through the open methods of
// NSManagedObject; the rules themselves are in Validation/.
import Foundation

extension NSManagedObject {
    /// Checks every property that has rules; O(properties with rules).
    func validateProperties() throws {
        prepareToRead()
        var errors: [any Error]?
        let refused = collectRefusals(&errors)
        for (slot, range) in table.pointee.presenceSlots {
            // The common cases are decided without reading or boxing the value.
            switch withEdits({ $0.presence(slot) }) ?? .absent {
            case .absent: if isPresentInRow(slot, range) { continue }
            case .integer(let value): if range.contains(value) { continue }
            case .real, .other: continue
            case .null: break
            }
            switch currentValue(slot) {
            case .null: if refused?.contains(slot) == true { continue }
            case .integer(let value): if range.contains(value) { continue }
            default: continue
            }
            collect(slot, &errors)
        }
        for slot in table.pointee.ruleSlots where refused?.contains(slot) != true && !isKnownGood(slot) {
            collect(slot, &errors)
        }
        if let errors, let error = CoreDataError.combine(errors) { throw error }
    }

    /// Whether an attribute has an unchanged value in the row, and one in the range if it is an integer.
    @inline(__always)
    private func isPresentInRow(_ slot: Int, _ range: IntegerRange) -> Bool {
        guard let rows else { return false }
        let column = Int(table.pointee.columns[slot])
        let row = Int(row)
        guard column >= 0, rows._withUnsafeGuaranteedRef({ !$0.isNull(column, row) }) else { return false }
        switch table.pointee.types[slot] {
        case .integer16, .integer32, .integer64:
            return range.contains(rows._withUnsafeGuaranteedRef { $0.integer(column, row) })
        case .boolean, .double, .float, .date, .string: return true
        default: return false
        }
    }

    /// Whether a to-many relationship needs no look: it is as the save before has judged it, or its count is right.
    ///
    /// No object of it is made, and if nothing was changed nothing is read.
    private func isKnownGood(_ slot: Int) -> Bool {
        guard layout.slots[slot].kind == .toMany, !layout.asksEveryKey, let rules = layout.validators[slot],
            rules.custom == nil
        else { return false }
        if !state.contains(.inserted) {
            guard case .toMany(let members)? = edits?.values[slot], members.hasChanges else { return true }
        }
        return rules.model.isOnlyCounted && rules.model.countError(memberCount(slot), of: self) == nil
    }

    private func collect(_ slot: Int, _ errors: inout [any Error]?) {
        let before = publicValue(slot)
        var value = before
        do {
            try validate(&value, forKey: layout.slots[slot].name)
        } catch {
            errors = (errors ?? []) + [error]
            return
        }
        if !Self.isSame(before, value) { setPublicValue(value, slot: slot) }
    }

    /// Calls the method that the class overrides.
    private func validate(_ value: inout Any?, forKey key: String) throws {
        #if !canImport(ObjectiveC)
            if layout.validatesByPointer {
                return try AutoreleasingUnsafeMutablePointer.withValue(&value) { place in
                    try validateValue(place, forKey: key)
                }
            }
        #endif
        try validateValue(&value, forKey: key)
    }

    /// Whether a validator has left a value as it was.
    static func isSame(_ lhs: Any?, _ rhs: Any?) -> Bool {
        guard let lhs, let rhs else { return lhs == nil && rhs == nil }
        if (lhs as AnyObject) === (rhs as AnyObject) { return true }
        if let lhs = lhs as? [String: Any], let rhs = rhs as? [String: Any] {
            return NSDictionary(dictionary: lhs).isEqual(to: rhs)
        }
        if let lhs = lhs as? AnyHashable { return lhs == rhs as? AnyHashable }
        return false
    }

    func validateOne(_ value: inout Any?, slot: Int) throws {
        guard let rules = layout.validators[slot], !isPartOfNothing(slot) else { return }
        if let error = rules.model.error(for: value, of: self) { throw error }
        if let custom = rules.custom { try custom(self, &value) }
    }

    /// Whether a slot is an element of a composite attribute that has no value and needs none.
    private func isPartOfNothing(_ slot: Int) -> Bool {
        let composite = layout.slots[slot].composite
        guard composite >= 0 else { return false }
        if isPartOfNothing(composite) { return true }
        return layout.slots[composite].property.isOptional && publicValue(composite) == nil
    }

    /// Whether a relationship with the rule deny has destinations that stay.
    func validateDenyRules() throws {
        guard table.pointee.hasDenyRules else { return }
        var errors: [NSError] = []
        for slot in layout.denyingSlots {
            let destinations =
                layout.slots[slot].kind == .toOne ? toOneObject(slot).map { [$0] } ?? [] : toManyMembers(slot)
            // Objects deleted elsewhere deny nothing; only the store has the current members.
            for destination in destinations where destination.state.contains(.fault) { destination.fire() }
            guard destinations.contains(where: { $0.state.isDisjoint(with: [.deleted, .gone, .inaccessible]) }),
                let relationship = layout.slots[slot].property as? NSRelationshipDescription
            else { continue }
            errors.append(CoreDataError.deniedDelete(relationship, value: publicValue(slot), object: self))
        }
        if let error = CoreDataError.combine(errors) { throw error }
    }
}
