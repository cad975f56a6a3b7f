// The part of a save that relationships have: pairs of relationship tables, owners of other rows, orders. Called for each
// changed object while its row is collected.
import GraphEngine

extension SaveOperation {
    /// Collects pairs of relationship tables, each once though both sides list it, and orders of ordered relationships.
    ///
    /// Throws 133010 if a new member is in another store.
    func collectRelationships(
        of object: NSManagedObject,
        _ edits: Edits,
        _ store: any RowStore,
        _ changes: inout StoreChanges
    ) throws {
        for slot in object.table.pointee.toManySlots {
            guard case .toMany(let members) = edits.values[slot], members.hasChanges else { continue }
            let description = object.layout.slots[slot]
            let hasPairs = store.hasJoinTable(object.layout.stored, slot)
            let hasOwners = store.hasOwnerColumn(object.layout.stored, slot)
            if hasPairs || hasOwners { try checkMembers(of: object, slot, members) }
            // The store has no row of a member that is in another one, but perhaps one with the same key.
            let removed =
                hasPairs || hasOwners
                ? members.removedObjects.filter { !$0.state.contains(.deleted) && $0.key.store == object.key.store }
                : []
            if hasPairs {
                // Its row is not written, so that no version would show that it was deleted.
                if let deletedAt, !edits.isRowWritten, !members.added.isEmpty { noteDestination(object, deletedAt) }
                let isOwn = object.layout.writesPairs(slot)
                members.forEachAdded { member in
                    if let deletedAt { noteDestination(member, deletedAt) }
                    add(object, slot, member, isOwn, isInsert: true, &changes)
                }
                for member in removed { add(object, slot, member, isOwn, isInsert: false, &changes) }
            }
            if hasOwners {
                for member in removed {
                    changes.releases.append(
                        OwnerOperation(
                            layout: object.layout.stored,
                            slot: slot,
                            source: nil,
                            member: member.key.primaryKey
                        )
                    )
                }
                members.forEachAdded { member in
                    changes.owners.append(
                        OwnerOperation(
                            layout: object.layout.stored,
                            slot: slot,
                            source: object.key.primaryKey,
                            member: member.key.primaryKey
                        )
                    )
                }
            }
            if description.isOrdered { collectOrder(of: object, slot, members, &changes) }
        }
    }

    /// Throws if a new member is in another store: its key would be that of another object here.
    private func checkMembers(of object: NSManagedObject, _ slot: Int, _ members: ToManyState) throws {
        let store = object.table.pointee.store
        var stranger: NSManagedObject?
        members.forEachAdded { if $0.table.pointee.store != store { stranger = $0 } }
        if let stranger { throw externalDestination(of: object, slot, stranger) }
    }

    /// Collects the order of all members if they were rearranged, else that of the members appended.
    private func collectOrder(
        of object: NSManagedObject,
        _ slot: Int,
        _ members: ToManyState,
        _ changes: inout StoreChanges
    ) {
        let isRearranged = members.isArranged
        let listed = isRearranged ? object.toManyMembers(slot) : members.addedObjects
        let placed = listed.filter { !$0.state.contains(.deleted) }
        guard !placed.isEmpty else { return }
        changes.orders.append(
            OrderOperation(
                layout: object.layout.stored,
                slot: slot,
                source: object.key.primaryKey,
                members: placed.map(\.key.primaryKey),
                isAppended: !isRearranged,
                isOwnerNew: object.state.contains(.inserted),
                areMembersNew: placed.allSatisfy { $0.state.contains(.inserted) }
            )
        )
    }

    private func add(
        _ object: NSManagedObject,
        _ slot: Int,
        _ member: NSManagedObject,
        _ isOwn: Bool,
        isInsert: Bool,
        _ changes: inout StoreChanges
    ) {
        let (owner, destination) = isOwn ? (object, member) : (member, object)
        let ownSlot = isOwn ? slot : object.layout.slots[slot].inverseSlot
        if !isOwn, isListed(destination, by: owner, ownSlot, isInsert: isInsert) { return }
        changes.joins.append(
            JoinOperation(
                layout: owner.layout.stored,
                slot: ownSlot,
                source: owner.key.primaryKey,
                destination: destination.key.primaryKey,
                isInsert: isInsert
            )
        )
    }

    /// Whether the object that a relationship table belongs to has the same change, and so passes the pair itself.
    ///
    /// It does not if it was refreshed since: then only the other side lists the change.
    private func isListed(
        _ object: NSManagedObject,
        by owner: NSManagedObject,
        _ slot: Int,
        isInsert: Bool
    ) -> Bool {
        guard owner.key.store == object.key.store, let edits = owner.edits,
            case .toMany(let members) = edits.values[slot]
        else { return false }
        return isInsert
            ? members.added[ObjectIdentifier(object)] != nil : members.removed[ObjectIdentifier(object)] != nil
    }
}
