// Invariants of a context and its objects: registry, lists, state bits, both sides of unsaved relationships. Called by
// tests after each step; fires no fault, reads no store and changes nothing.
import Foundation

/// The degree to which both sides of relationships must agree.
package enum InverseCheck {
    /// Not checked: one side was refreshed without its changes.
    case none
    /// Unsaved changes must appear on both sides.
    case unsaved
    /// Everything in memory must appear on both sides: the store has had no other writer.
    case all
}

extension NSManagedObjectContext {
    /// The violated invariants of the context, one sentence each; must be called on the context's queue.
    ///
    /// O(registered objects and their unsaved relationships).
    ///
    /// - Parameter inverses: How strictly both sides of relationships must agree.
    /// - Returns: The sentences; empty if no invariant is violated.
    package final func invariantViolations(inverses: InverseCheck = .unsaved) -> [String] {
        let registered = registry.allObjects()
        let live = Array(Set(registered).union(insertedList.filter { $0.state.contains(.inserted) && isOwn($0) }))
        var violations = live.flatMap(\.invariantViolations)
        for object in registered { violations += registryViolations(object) }
        violations += listViolations(live)
        if inverses == .none { return violations }
        for object in live { violations += object.inverseViolations }
        if inverses == .all { for object in live { violations += object.loadedInverseViolations } }
        return violations
    }

    /// Stops the program with a message if an invariant is violated.
    package final func checkInvariants(inverses: InverseCheck = .unsaved) {
        if let sentence = invariantViolations(inverses: inverses).first { preconditionFailure(sentence) }
    }

    /// Checks that a registered object belongs to this context and is found by its key.
    private func registryViolations(_ object: NSManagedObject) -> [String] {
        guard object.registry === registry else {
            return ["\(object.describeForMessages) is registered with a context that it does not belong to."]
        }
        guard registry.object(for: object.key, tree: object.layout.tree.index) === object else {
            return ["\(object.describeForMessages) is registered under a key that it does not have."]
        }
        return []
    }

    /// Checks that each state bit has its list, which owns the object, and that no list has a living object twice.
    private func listViolations(_ live: [NSManagedObject]) -> [String] {
        var violations: [String] = []
        func check(
            _ name: String,
            _ list: ContiguousArray<NSManagedObject>,
            mayRepeat: Bool = false,
            _ belongs: (ObjectState) -> Bool
        ) {
            var listed: Set<ObjectIdentifier> = []
            for object in list where !listed.insert(ObjectIdentifier(object)).inserted && belongs(object.state) {
                if mayRepeat { continue }
                violations.append("\(object.describeForMessages) is twice in the list of \(name) objects.")
            }
            for object in live where belongs(object.state) && !listed.contains(ObjectIdentifier(object)) {
                violations.append("\(object.describeForMessages) is not in the list of \(name) objects.")
            }
        }
        check("inserted", insertedList) { $0.contains(.inserted) }
        check("updated", updatedList) { $0.contains(.updated) }
        check("deleted", deletedList) {
            $0.contains(.deleted) && $0.isDisjoint(with: [.inserted, .inaccessible, .deletedElsewhere, .gone])
        }
        check("newly inserted", pending.inserted, mayRepeat: true) { $0.contains(.pendingInsert) }
        check("newly updated", pending.updated, mayRepeat: true) { $0.contains(.pendingUpdate) }
        check("newly deleted", pending.deleted, mayRepeat: true) { $0.contains(.pendingDelete) }
        check("newly refreshed", pending.refreshed, mayRepeat: true) { $0.contains(.pendingRefresh) }
        for object in updatedList
        where object.registry === registry && !object.state.contains(.listedUpdated) {
            violations.append("\(object.describeForMessages) is in the list of updated objects, but not in that state.")
        }
        for object in deletedList
        where object.registry === registry && !object.state.contains(.listedDeleted) {
            violations.append("\(object.describeForMessages) is in the list of deleted objects, but not in that state.")
        }
        for object in insertedList
        where object.state.contains(.inserted) && isOwn(object) && object.registry !== registry {
            violations.append("\(object.describeForMessages) is in the list of inserted objects of another context.")
        }
        return violations
    }
}

extension NSManagedObject {
    /// Unsaved relationships that are missing on the other side.
    fileprivate var inverseViolations: [String] {
        guard let edits, state.isDisjoint(with: [.fault, .deleted, .inaccessible]) else { return [] }
        var violations: [String] = []
        edits.changed.forEach { slot in
            let description = layout.slots[slot]
            guard description.inverseSlot >= 0 else { return }
            switch edits.values[slot] {
            case .object(let destination):
                if destination.denies(self, slot: description.inverseSlot) {
                    violations.append(
                        "\(describeForMessages).\(description.name) leads to \(destination.describeForMessages) only."
                    )
                }
            case .toMany(let members):
                for member in members.addedObjects where member.denies(self, slot: description.inverseSlot) {
                    violations.append(
                        "\(describeForMessages).\(description.name) has \(member.describeForMessages) only."
                    )
                }
            default:
                break
            }
        }
        return violations
    }

    /// Destinations in memory whose loaded members lack this object.
    fileprivate var loadedInverseViolations: [String] {
        guard state.isDisjoint(with: [.fault, .deleted, .gone, .inaccessible]) else { return [] }
        return layout.toOneSlots.compactMap { slot in
            guard let inverse = inverse(slot), let destination = knownToOneObject(slot),
                destination.state.isDisjoint(with: [.deleted, .gone, .inaccessible, .fault]),
                case .toMany(let members)? = destination.edits?.values[inverse], members.stored != nil,
                !members.holds(self)
            else { return nil }
            return "\(describeForMessages).\(layout.slots[slot].name) leads to \(destination.describeForMessages), "
                + "whose \(destination.layout.slots[inverse].name) lacks it."
        }
    }

    /// Whether the relationship is loaded here and does not lead to `object`.
    private func denies(_ object: NSManagedObject, slot: Int) -> Bool {
        guard state.isDisjoint(with: [.fault, .deleted, .inaccessible, .gone]) else { return false }
        guard layout.slots[slot].kind == .toMany else { return knownToOneObject(slot) !== object }
        guard case .toMany(let members)? = edits?.values[slot] else { return true }
        return !members.holds(object)
    }
}
