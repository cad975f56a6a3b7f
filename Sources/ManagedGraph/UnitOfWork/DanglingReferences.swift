// Finds references to objects that the same save deletes, or that were deleted before they were saved. Called by a save
// before it writes.
import Foundation

extension SaveChanges {
    /// Throws if a relationship was set to a deleted object; O(relationships of the objects).
    func checkReferences() throws {
        var errors: [NSError] = []
        inserted.forEachUncounted { $0.collectDanglingReferences(&errors) }
        updated.forEachUncounted { $0.collectDanglingReferences(&errors) }
        if let error = CoreDataError.combine(errors) { throw error }
    }
}

extension NSManagedObject {
    fileprivate func collectDanglingReferences(_ errors: inout [NSError]) {
        withEdits { collectDanglingReferences($0, &errors) }
    }

    @inline(__always)
    private func collectDanglingReferences(_ edits: Edits, _ errors: inout [NSError]) {
        for slot in table.pointee.toOneSlots {
            guard case .object(let destination) = edits.values[slot] else { continue }
            if let error = danglingReference(slot, to: destination) { errors.append(error) }
        }
        for slot in table.pointee.toManySlots {
            guard case .toMany(let members) = edits.values[slot], !members.added.isEmpty else { continue }
            members.forEachAdded { member in
                guard let error = danglingReference(slot, to: member) else { return }
                if isLetGo(by: member, slot) { members.forget(member) } else { errors.append(error) }
            }
        }
    }

    /// Whether the other side of a to-many relationship lacks this object, so that nothing of it would be saved.
    ///
    /// Either the deleted object has no row that could refer to this one, or it was refreshed before its deletion, so
    /// its delete rules did not reach this one.
    private func isLetGo(by member: NSManagedObject, _ slot: Int) -> Bool {
        guard let inverse = inverse(slot) else { return false }
        guard member.layout.slots[inverse].kind == .toMany else {
            return member.state.contains(.inaccessible) || member.knownToOneObject(inverse) !== self
        }
        guard case .toMany(let members)? = member.edits?.values[inverse] else { return true }
        return members.added[ObjectIdentifier(self)] == nil
    }

    /// The error of a relationship that leads to a deleted object: 1550; nil if the destination is not deleted.
    func danglingReference(_ slot: Int, to destination: NSManagedObject) -> NSError? {
        if destination.state.isDisjoint(with: [.deleted, .gone]) { return nil }
        let name = layout.slots[slot].name
        return CoreDataError.make(
            NSManagedObjectValidationError,
            "\(layout.name).\(name): dangling reference to an invalid object. "
                + "\(destination.describeForMessages) is deleted.",
            reason: "Dangling reference to an invalid object.",
            remedy: "Set \(name) to an object that stays, or to nil, before saving.",
            userInfo: [
                NSValidationKeyErrorKey: name,
                NSValidationObjectErrorKey: self,
                NSValidationValueErrorKey: layout.slots[slot].kind == .toOne ? destination : toManyCollection(slot),
                NSAffectedObjectsErrorKey: [destination],
                "Dangling reference to an invalid object.": NSNull(),
            ]
        )
    }
}
