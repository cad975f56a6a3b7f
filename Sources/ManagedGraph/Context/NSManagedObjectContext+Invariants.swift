// What must be true of a context between any two calls. Called by tests, which stop at the first contradiction.
import Foundation

extension NSManagedObjectContext {
    /// The first contradiction in the context's state, or nil; O(registered objects).
    package final func invariantProblem() -> String? {
        for object in registry.allObjects() {
            if object.registry !== registry {
                return "\(object.describeForMessages) is registered here and belongs elsewhere."
            }
            if registry.object(for: object.key, tree: object.layout.tree.index) !== object {
                return "\(object.describeForMessages) is registered under another key than its own."
            }
            if object.state.contains(.gone) { return "\(object.describeForMessages) is gone and still registered." }
        }
        let lists: [(String, ContiguousArray<NSManagedObject>, ObjectState)] = [
            ("inserted", insertedList, .inserted), ("updated", updatedList, .updated),
            ("deleted", deletedList, .deleted),
        ]
        for (name, list, state) in lists {
            let living = list.filter { $0.state.contains(state) && !$0.state.contains(.gone) }
            if Set(living).count != living.count { return "An object is listed as \(name) twice." }
            if let stray = living.first(where: { $0.registry !== registry }) {
                return "\(stray.describeForMessages) is listed as \(name) and belongs elsewhere."
            }
        }
        for object in registry.allObjects() + insertedList where object.registry === registry {
            if let problem = object.invariantProblem(listed: (insertedList, updatedList, deletedList)) {
                return problem
            }
        }
        return nil
    }
}

extension NSManagedObject {
    fileprivate typealias Lists = (
        inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
        deleted: ContiguousArray<NSManagedObject>
    )

    fileprivate func invariantProblem(listed lists: Lists) -> String? {
        let name = describeForMessages
        if state.contains([.inserted, .updated]) { return "\(name) is inserted and updated at once." }
        if state.contains(.inserted), !lists.inserted.contains(where: { $0 === self }) {
            return "\(name) is new, unlisted."
        }
        if state.contains(.updated), !lists.updated.contains(where: { $0 === self }) {
            return "\(name) is changed, unlisted."
        }
        if state.contains(.deleted), state.isDisjoint(with: [.inserted, .inaccessible, .takenOut]),
            !lists.deleted.contains(where: { $0 === self })
        {
            return "\(name) is deleted, unlisted."
        }
        if state.contains(.fault), edits?.changed.isEmpty == false { return "\(name) is a fault with unsaved changes." }
        if state.contains(.updated), snapshot == nil, edits?.isWholeRow != true {
            return "\(name) is changed and has nothing to compare with."
        }
        if !state.contains(.inserted), key.primaryKey == 0 { return "\(name) was saved and has no key." }
        return inverseProblem()
    }

    /// A to-one destination in memory whose members are read must have this object among them.
    private func inverseProblem() -> String? {
        guard !state.contains(.fault), state.isDisjoint(with: [.deleted, .gone, .inaccessible]) else { return nil }
        for slot in layout.toOneSlots {
            guard let inverse = inverse(slot), let destination = knownToOneObject(slot),
                destination.state.isDisjoint(with: [.deleted, .gone, .inaccessible, .fault]),
                case .toMany(let members)? = destination.edits?.values[inverse], members.stored != nil
            else { continue }
            if !destination.toManyMembers(inverse).contains(where: { $0 === self }) {
                return "\(describeForMessages).\(layout.slots[slot].name) leads to \(destination.describeForMessages), "
                    + "whose \(destination.layout.slots[inverse].name) lacks it."
            }
        }
        return nil
    }
}
