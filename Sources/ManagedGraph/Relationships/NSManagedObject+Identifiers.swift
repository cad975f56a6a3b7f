// The identifiers of related objects, for which no object is made. Called by users.
import Foundation
import GraphEngine

extension NSManagedObject {
    /// The identifiers of a relationship's members.
    ///
    /// No related object is made or read, and a fault stays one. See
    /// [objectIDs(forRelationshipNamed:)](https://developer.apple.com/documentation/coredata/nsmanagedobject/1506760-objectids).
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: The members' identifiers, in order if the relationship is ordered; none for a property of another
    ///   kind, and for a name that the entity does not have, which is logged.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let slot = slot(forKey: key) else { return [] }
        switch layout.slots[slot].kind {
        case .toOne: return destinationIdentifier(slot).map { [$0] } ?? []
        case .toMany: return memberIdentifiers(slot)
        case .attribute, .fetched: return []
        }
    }

    private func destinationIdentifier(_ slot: Int) -> NSManagedObjectID? {
        let value: Value
        if state.contains(.fault), let context = registry?.context {
            do {
                // The row is read, but not shown: the object remains a fault.
                guard try context.fill(self) else { return nil }
                let editedValue = edits?.values[slot] ?? .absent
                value = editedValue.isAbsent ? snapshotValue(slot) : editedValue
            } catch {
                context.noteFailedRead(of: describeForMessages, error)
                return nil
            }
        } else {
            value = currentValue(slot)
        }
        switch value {
        case .object(let object): return object.objectID
        case .reference(let key): return identifier(of: key)
        default: return nil
        }
    }

    private func memberIdentifiers(_ slot: Int) -> [NSManagedObjectID] {
        guard let context = registry?.context else { return toManyMembers(slot).map(\.objectID) }
        if state.contains(.fault), edits.map({ $0.values[slot].isAbsent }) ?? true {
            return context.storedMembers(of: self, slot: slot)?.compactMap { identifier(of: $0) } ?? []
        }
        guard let members = readState(slot) else { return [] }
        if members.isArranged { return toManyMembers(slot).map(\.objectID) }
        let saved = (members.stored ?? []).compactMap { key -> NSManagedObjectID? in
            guard let object = context.registered(key, tree(of: key)) else { return identifier(of: key) }
            return members.holds(object) && members.added[ObjectIdentifier(object)] == nil ? object.objectID : nil
        }
        return saved + members.addedObjects.map(\.objectID)
    }

    /// The identifier of a row; that of its object if it is registered.
    private func identifier(of key: ObjectKey) -> NSManagedObjectID? {
        guard let context = registry?.context else { return nil }
        if let object = context.registered(key, tree(of: key)) { return object.objectID }
        return NSManagedObjectID(
            layout: layout.model.layouts[Int(key.entity)],
            key: key,
            store: registry?.coordinator?.store(at: key.store)
        )
    }

    private func tree(of key: ObjectKey) -> TreeLayout { layout.model.layouts[Int(key.entity)].tree }
}
