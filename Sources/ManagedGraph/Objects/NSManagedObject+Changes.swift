// The changes of an object since its last save, and since the last event. Read by users, by the save and by rollback.
import Foundation

extension NSManagedObject {
    /// Whether the object was inserted and not yet saved.
    public final var isInserted: Bool { state.contains(.inserted) }

    /// Whether the object was changed and not yet saved.
    public final var isUpdated: Bool { state.contains(.updated) && !state.contains(.deleted) }

    /// Whether the object will be deleted at the next save; false again once that save is over.
    public final var isDeleted: Bool { state.contains(.deleted) }

    /// Whether the object was inserted, changed or deleted since it was last saved.
    public final var hasChanges: Bool {
        !state.isDisjoint(with: [.inserted, .updated, .deleted]) && !state.contains(.gone)
    }

    /// Whether a value that is stored differs from the last one saved, or that of a new object from its default.
    ///
    /// O(changed properties).
    public final var hasPersistentChangedValues: Bool {
        guard let edits, state.isDisjoint(with: [.fault, .gone]) else { return false }
        var hasChange = false
        edits.changed.forEach { slot in
            if !hasChange, !layout.slots[slot].isTransient, layout.slots[slot].kind != .fetched, isReallyChanged(slot),
                !isAsInserted(slot)
            {
                hasChange = true
            }
        }
        return hasChange
    }

    /// The stored properties changed since the last fetch or save, with their present values.
    ///
    /// Transient properties are not among them, nor those of a new object that have their default values. A primitive
    /// setter alone changes nothing: its value is among them once the object has changes.
    ///
    /// - Returns: Values by name, `NSNull` for nil. O(changed properties).
    public final func changedValues() -> [String: Any] {
        guard let edits, !state.contains(.gone) else { return [:] }
        if state.isDisjoint(with: [.inserted, .updated, .deleted]), registry?.context != nil { return [:] }
        var result: [String: Any] = [:]
        edits.changed.forEach { slot in
            guard !layout.slots[slot].isTransient, isReallyChanged(slot), !isAsInserted(slot) else { return }
            let whole = layout.whole(slot)
            result[layout.slots[whole].name] = publicValue(whole) ?? NSNull()
        }
        return result
    }

    /// The stored properties changed since the last `processPendingChanges`, with their former values.
    ///
    /// Transient properties are not among them.
    ///
    /// - Returns: Values by name, `NSNull` for nil. O(changed properties).
    public final func changedValuesForCurrentEvent() -> [String: Any] {
        guard let edits, let context = registry?.context,
            edits.event == context.eventNumber || edits.event == context.changeEvent
        else { return [:] }
        var result: [String: Any] = [:]
        edits.changedInEvent.forEach { slot in
            guard !layout.slots[slot].isTransient else { return }
            result[layout.slots[layout.whole(slot)].name] = NSNull()
        }
        edits.changedInEvent.forEach { slot in
            guard !layout.slots[slot].isTransient, let value = edits.formerValue(slot) else { return }
            let whole = layout.whole(slot)
            let eventValue = whole == slot ? publicEventValue(slot, value) : eventComposite(whole, edits)
            result[layout.slots[whole].name] = eventValue ?? NSNull()
        }
        return result
    }

    /// The names of the properties changed since the last `processPendingChanges`; nil if none is known to be.
    ///
    /// They are unknown, too, if an observer of the event that is being posted has changed the object again.
    ///
    /// O(changed properties); reads no value.
    var keysChangedInEvent: Set<String>? {
        guard let edits, edits.event == registry?.context?.eventNumber, !edits.changedInEvent.isEmpty else {
            return nil
        }
        var keys: Set<String> = []
        edits.changedInEvent.forEach { slot in keys.insert(layout.slots[layout.whole(slot)].name) }
        return keys
    }

    /// A property changed in this event as it was when the event began.
    func valueBeforeEvent(forKey key: String) -> Any? {
        guard let slot = layout.slot(named: key),
            let former = edits?.formerValue(slot)
        else { return nil }
        return publicEventValue(slot, former)
    }

    /// A composite attribute as the event found it.
    private func eventComposite(_ whole: Int, _ edits: Edits) -> [String: Any]? {
        composed(layout.slots[whole]) { slot in
            if layout.slots[slot].type == .composite { return eventComposite(slot, edits) }
            guard let former = edits.formerValue(slot) else { return publicValue(slot) }
            return publicEventValue(slot, former)
        }
    }

    /// A value as the event found it.
    private func publicEventValue(_ slot: Int, _ value: Value) -> Any? {
        let description = layout.slots[slot]
        switch description.kind {
        case .attribute:
            return (value.isAbsent ? snapshotValue(slot) : value).publicAttribute(description.type)
        case .toOne:
            return publicDestination(value.isAbsent ? snapshotValue(slot) : value)
        case .toMany:
            guard let context = registry?.context, case .toMany(let now)? = edits?.values[slot] else { return nil }
            let former = ToManyState(stored: now.stored ?? context.storedMembers(of: self, slot: slot) ?? [])
            if case .toMany(let changes) = value { former.takeChanges(of: changes) }
            let members = former.members { $0.map { context.object(for: $0) } }
            return description.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        case .fetched:
            return nil
        }
    }

    private func publicDestination(_ value: Value) -> NSManagedObject? {
        switch value {
        case .reference(let key): registry?.context?.object(for: key)
        case .object(let object): object
        default: nil
        }
    }

    /// The values as they were last fetched or saved.
    ///
    /// - Parameter keys: Properties' names, or nil for all stored ones.
    /// - Returns: Values by name, `NSNull` for nil; empty for an object that was never saved.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
        if state.contains(.inserted) { return [:] }
        prepareToRead()
        let slots =
            keys.map { $0.compactMap(slot(forKey:)) }
            ?? layout.slots.indices.filter { slot in
                let description = layout.slots[slot]
                return description.composite < 0
                    && (description.isStored || (description.type == .composite && !description.isTransient))
            }
        return Dictionary(
            slots.map { (layout.slots[$0].name, publicCommittedValue($0) ?? NSNull()) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private func publicCommittedValue(_ slot: Int) -> Any? {
        let description = layout.slots[slot]
        switch description.kind {
        case .attribute:
            if description.type == .composite { return composed(description) { publicCommittedValue($0) } }
            return committedValue(slot).publicAttribute(description.type)
        case .toOne:
            return publicDestination(committedValue(slot))
        case .toMany:
            guard let context = registry?.context else { return nil }
            let members = (toManyState(slot).stored ?? context.storedMembers(of: self, slot: slot) ?? []).map {
                context.object(for: $0)
            }
            return description.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        case .fetched:
            return nil
        }
    }

    /// Whether a slot that was set differs from the value last saved.
    func isReallyChanged(_ slot: Int) -> Bool {
        if state.contains(.inserted) { return true }
        if let answer = isNumberChanged(slot) { return answer }
        if case .toMany(let members)? = edits?.values[slot] {
            members.forgetEqualOrder()
            return members.hasChanges
        }
        return !currentValue(slot).isSame(as: committedValue(slot))
    }

    /// Whether a property of a new object has the value with which it was inserted.
    private func isAsInserted(_ slot: Int) -> Bool {
        guard state.contains(.inserted) else { return false }
        if case .toMany(let members)? = edits?.values[slot] { return !members.hasChanges }
        return currentValue(slot).isSame(as: layout.slots[slot].kind == .attribute ? layout.defaults[slot] : .null)
    }

    /// Whether a number that was set differs from the row's; nil if it takes more to find out.
    private func isNumberChanged(_ slot: Int) -> Bool? {
        let value = withEdits { edits in
            edits.committed == nil && edits.changed.contains(slot) ? edits.presence(slot) : .absent
        }
        guard let value, let rows else { return nil }
        let column = Int(table.pointee.columns[slot])
        let row = Int(row)
        guard column >= 0 else { return nil }
        switch (value, table.pointee.types[slot]) {
        case (.integer(let value), .integer16), (.integer(let value), .integer32), (.integer(let value), .integer64):
            return rows._withUnsafeGuaranteedRef { $0.isNull(column, row) || $0.integer(column, row) != value }
        case (.real(let value), .double), (.real(let value), .date):
            return rows._withUnsafeGuaranteedRef { $0.isNull(column, row) || $0.real(column, row) != value }
        default: return nil
        }
    }

    /// Back to the values last saved.
    func rollBack() {
        guard let edits else { return }
        if state.contains(.observed) { ObservedObjects.noteAllChanges(self) }
        edits.changed.forEach { slot in
            if case .toMany(let members) = edits.values[slot] {
                members.discardChanges()
            } else {
                edits.values[slot] = edits.committed?[slot] ?? .absent
            }
        }
        edits.changed.removeAll()
        edits.forgetEvent()
        if edits.committed != nil { edits.committed = nil }
        if edits.hasRefusedValues { RefusedValues.forget(edits) }
        state.subtract([.updated, .deleted, .pendingUpdate, .pendingDelete])
    }

    /// After a save.
    ///
    /// The changes are stored. Own values stay, as no batch holds them.
    func commitChanges(version: Int64) {
        // Former values are in an extension; when one is released, code of the program can run.
        let isCommitted = withEdits { edits in
            if edits.isExtended { return false }
            edits.commit(version: version)
            return true
        }
        guard let isCommitted else { return }
        if !isCommitted { edits?.commit(version: version) }
        if table.pointee.hasRelationships { commitRelationships() }
        state.subtract([.inserted, .updated, .pendingInsert, .pendingUpdate])
    }

    /// The program's code can run when a former destination is released, so the values are counted here.
    private func commitRelationships() {
        guard let edits else { return }
        for slot in table.pointee.toOneSlots {
            if case .object(let object) = edits.values[slot] { edits.values[slot] = .reference(object.key) }
        }
        for slot in table.pointee.toManySlots {
            if case .toMany(let members) = edits.values[slot] { members.commit() }
        }
    }
}
