// Faults: objects whose values have not been read. Filling one, and turning an object back into one. Called before
// every read of a fault and by refresh, reset and merges.
import Foundation
import GraphEngine
import GraphSQLite

extension NSManagedObject {
    /// Whether the values have not been read yet.
    public final var isFault: Bool { state.contains(.fault) }

    /// Whether nothing is known of the row yet.
    var isUnread: Bool { state.contains(.fault) && snapshot == nil }

    /// 0 for an object that is not a fault, another number for a fault.
    public final var faultingState: UInt { isFault ? 1 : 0 }

    /// Whether a relationship's members have not been read yet.
    ///
    /// - Parameter key: The relationship's name.
    /// - Returns: True if reading the relationship would read the store; false for a name that the entity does not
    ///   have, which is logged.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        guard let slot = slot(forKey: key) else { return false }
        if state.contains(.fault) { return true }
        switch layout.slots[slot].kind {
        case .toOne:
            return toOneObject(slot)?.isFault ?? false
        case .toMany:
            if let edits, case .toMany(let members) = edits.values[slot] { return members.stored == nil }
            return !(state.contains(.inserted) || registry == nil)
        case .attribute, .fetched:
            return false
        }
    }

    /// Whether a property has a value in memory.
    ///
    /// In a migration, a fault is fired: there, policies read primitive values of objects that they reach through
    /// relationships, as they can with Apple's framework.
    func hasPrimitiveValue(_ slot: Int) -> Bool {
        if state.contains(.fault), !hasPartialValue(slot), registry?.firesFaultsForPrimitiveValues == true {
            fire(slot)
        }
        return !state.contains(.fault) || hasPartialValue(slot)
    }

    /// Fills the fault, from its snapshot, its page or the store.
    @inline(never)
    func fire(_ slot: Int = -1) {
        // An object that has left its context has no values to read, and stays a fault.
        guard state.contains(.fault), !state.contains(.gone) else { return }
        state.remove(.fault)
        if hasCurrentRow() { return awakeSilently() }
        let partial = takePartialValues()
        let registry = registry
        if let registry {
            if registry.stalenessInterval >= 0 { dropStaleRow(registry.stalenessInterval) }
            if rows != nil, registry.hasSaves { refillOutdated() }
        }
        if rows == nil {
            guard let context = registry?.context else {
                // Its context was released: there is nothing to read, so the class is not called either.
                state.insert(.fault)
                if edits == nil { edits = partial }
                return
            }
            do {
                if try !context.fill(self) { context.handleMissingRow(self, slot) }
            } catch {
                // Its state is unchanged, and the next read retries.
                state.insert(.fault)
                if edits == nil { edits = partial }
                return context.noteFailedRead(of: describeForMessages, error)
            }
        }
        guard !state.contains(.inaccessible) else { return }
        registry?.faultsFired.add(1)
        awakeSilently()
    }

    /// Whether the object has nothing but a row that is known to be current; counts the fault if so.
    ///
    /// Decides for most objects of a fetch, without counting a reference.
    @inline(__always)
    private func hasCurrentRow() -> Bool {
        guard content.hasRowsOnly, !state.contains(.inaccessible) else { return false }
        var isCurrent = false
        home.withRegistry { registry in
            isCurrent = registry.stalenessInterval < 0 && !registry.hasSaves
            if isCurrent { registry.faultsFired.add(1) }
        }
        return isCurrent
    }

    @inline(__always)
    private func awakeSilently() {
        let wasSilent = state.contains(.silent)
        state.insert(.silent)
        awakeFromFetch()
        if !wasSilent { state.remove(.silent) }
    }

    private func dropStaleRow(_ staleness: TimeInterval) {
        guard let rows = snapshot, holdsReadMembersOnly, staleness <= Moment.now.seconds(since: rows.readAt) else {
            return
        }
        dropReadRow()
    }

    /// Whether a fault has no own values beside the members of relationships that were prefetched for it.
    ///
    /// They are as old as its row, and are read again with it.
    var holdsReadMembersOnly: Bool {
        withEdits { $0.changed.isEmpty && !$0.isWholeRow && !$0.isPartial && $0.version == 0 } ?? true
    }

    /// Drops the row of a fault and the members that were prefetched for it.
    func dropReadRow() {
        snapshot = nil
        edits = nil
    }

    /// Gives another row to a fault that has one and prefetched members, if it is another version of the row.
    ///
    /// A change of the members raises the version, so the members of the same version are kept.
    @inline(never)
    func adoptOtherVersion(_ batch: RowBatch, row newRow: Int) {
        guard holdsReadMembersOnly, batch.integer(TreeLayout.versionColumn, newRow) != version else { return }
        edits = nil
        adopt(batch, row: newRow)
    }

    /// Gives a row to an object that has none, or a fresher one.
    @inline(__always)
    func adopt(_ batch: RowBatch, row newRow: Int) {
        if !content.replacePage(by: batch) {
            if let page { self.page = page.siblings }
            snapshot = batch
        }
        row = Int32(truncatingIfNeeded: newRow)
    }

    /// The version of the row the object was read from or saved as.
    var version: Int64 {
        if let version = withEdits({ $0.version }), version > 0 { return version }
        let row = Int(row)
        return rows?._withUnsafeGuaranteedRef { $0.integer(TreeLayout.versionColumn, row) } ?? 0
    }

    /// Drops the values, also those read ahead for a fault; unsaved changes and transient values are lost.
    func turnIntoFault() {
        page = page?.siblings
        if state.contains(.fault) {
            // A fault can have values of a partial fetch, or members that were prefetched.
            dropReadRow()
            return
        }
        guard !state.contains(.inserted) else { return }
        // It may change again and be in the list of changed objects still.
        noteIndexedChange()
        willTurnIntoFault()
        if state.contains(.observed) { ObservedObjects.noteAllChanges(self) }
        snapshot = nil
        edits = nil
        state.formIntersection(ObjectState.lasting.union([.pendingRefresh, .listedUpdated, .listedDeleted]))
        state.insert(.fault)
        didTurnIntoFault()
    }

    /// Makes the object a fault without values when it has left its context.
    func becomeShell() {
        registry = nil
        dropContent()
    }

    /// The same for one of many objects, whose store's link is known; nil if it was never saved.
    func becomeShell(of link: StoreLink?) {
        home.leave(for: link)
        dropContent()
    }

    private func dropContent() {
        edits = nil
        snapshot = nil
        page = nil
        // The observers are found by this mark, also when the object is deallocated.
        state = state.intersection(.observed).union([.gone, .fault])
    }
}
