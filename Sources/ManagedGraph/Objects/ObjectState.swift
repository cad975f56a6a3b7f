// The states of a managed object's life, and their invariants.
//
//                init(insertInto: nil)
//                         │
//                         ▼          insert          save
//    ┌──────────────── (unset) ───────────▶ inserted ──────▶ clean ◀──── fire ──── fault ◀── fetch, object(with:),
//    │                                       │  ▲ │            │  ▲                ▲  │      a relationship
//    │                        delete, event, │  │ │ rollback   │  │ save,          │  │
//    │                        rollback       │  │ │            │  │ rollback       │  │
//    │                                       │  │ │        set │  │       refresh without merging
//    │                                       │  │ │            ▼  │                │  │
//    │                                       │  │ │         updated ───────────────┤  │
//    │                                       │  │ │            │  ▲                │  │
//    │              a policy writes anew     │  │ │     delete │  │ rollback       │  │ fire finds no row
//    │              rows deleted elsewhere   │  │ │            ▼  │                │  │
//    │                                       │  └─┼─────── deleted ────────────────┘  │
//    │                                       │    │            │                      ▼
//    │                                       │    │            │ save, a merge   inaccessible
//    │                                       ▼    ▼            ▼                      │
//    └──────────────────────────────────▶ gone: no context ◀──────── reset ───────────┘
//
// Bits beside the state proper: pending… lasts until the event ends, listed… until the list of updated or deleted objects
// is compacted, silent while the framework calls the class, deletedElsewhere from a merge until the next save.

/// The state of an object's life as bits, with the bits of its context's lists and of the current event.
struct ObjectState: OptionSet {
    let rawValue: UInt32

    /// The values have not been read yet; the snapshot may already be there.
    static let fault = ObjectState(rawValue: 1)
    static let inserted = ObjectState(rawValue: 2)
    static let updated = ObjectState(rawValue: 4)
    static let deleted = ObjectState(rawValue: 8)
    /// Changed since the last `processPendingChanges`.
    static let pendingInsert = ObjectState(rawValue: 16)
    static let pendingUpdate = ObjectState(rawValue: 32)
    static let pendingDelete = ObjectState(rawValue: 64)
    static let pendingRefresh = ObjectState(rawValue: 128)
    /// The row is gone: every value reads as nil.
    static let inaccessible = ObjectState(rawValue: 256)
    /// Made without a context and not yet given its default values.
    static let unset = ObjectState(rawValue: 512)
    /// In the context's list of updated objects, which is compacted later.
    static let listedUpdated = ObjectState(rawValue: 1024)
    /// Changes are recorded by the caller, not by the accessors (`awakeFromFetch`, rollback).
    static let silent = ObjectState(rawValue: 2048)
    /// In no context: deleted and saved, removed before it was saved, or dropped by a reset.
    static let gone = ObjectState(rawValue: 4096)
    /// Deleted elsewhere and merged: it has no row and leaves its context with the next save.
    static let deletedElsewhere = ObjectState(rawValue: 8192)

    /// Each access checks that it is on the context's queue.
    static let watched = ObjectState(rawValue: 16384)

    /// Made to show the row of a conflict, and not yet handed out.
    static let madeForConflict = ObjectState(rawValue: 32768)

    /// Its insertion is being undone: the relationships are restored one by one, not by delete rules.
    static let takenBack = ObjectState(rawValue: 65536)

    /// Reads may be tracked by the Observation library.
    static let tracked = ObjectState(rawValue: 131_072)
    /// The object is observed.
    static let observed = ObjectState(rawValue: 262_144)
    /// `prepareForDeletion()` is running, and may delete objects that delete this one in turn.
    static let preparingDeletion = ObjectState(rawValue: 524_288)
    /// A computed property of the class answers value(forKey:).
    static let computing = ObjectState(rawValue: 1_048_576)
    /// Has read a to-many relationship or a fetched property, whose objects it holds.
    static let holding = ObjectState(rawValue: 2_097_152)
    /// Entered into the context's index of unsaved values, which is notified of the next change.
    static let indexed = ObjectState(rawValue: 4_194_304)
    /// In the context's list of deleted objects, which is compacted later.
    static let listedDeleted = ObjectState(rawValue: 8_388_608)
    /// Removed from its registry, because its last owner is about to release it.
    static let unregistered = ObjectState(rawValue: 16_777_216)
    /// Deleted, with no row that the save would have to delete.
    static let withoutRow: ObjectState = [.inaccessible, .deletedElsewhere]
    /// The states that an object keeps when its values change.
    static let lasting: ObjectState = [.watched, .tracked, .observed]

    /// Anything that keeps a read from going straight to the values.
    static let needsPreparation: ObjectState = [.fault, .inaccessible, .unset, .watched, .tracked, .unregistered]
}

extension NSManagedObject {
    /// The contradictions in the object's state, one sentence each; fires no fault.
    package final var invariantViolations: [String] {
        var violations: [String] = []
        func hold(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
            if !isTrue { violations.append("\(describeForMessages) \(sentence())") }
        }
        let isChanged = edits?.changed.isEmpty == false
        hold(!state.contains([.inserted, .updated]), "is inserted and updated at once.")
        hold(!state.contains(.fault) || !isChanged, "is a fault with unsaved changes.")
        hold(!state.contains(.fault) || !state.contains(.inserted), "is a fault and inserted at once.")
        hold(!state.contains(.fault) || !state.contains(.updated), "is a fault and updated at once.")
        hold(
            !state.contains(.updated) || !state.isDisjoint(with: .inaccessible) || snapshot != nil
                || edits?.isWholeRow == true,
            "is updated and has no snapshot to compare with."
        )
        hold(!state.contains(.inserted) || edits != nil, "is inserted and has no values.")
        hold(
            registry == nil || !state.isDisjoint(with: [.inserted, .gone]) || key.primaryKey != 0,
            "was saved and has no key."
        )
        hold(!state.contains(.gone) || registry == nil, "is gone and has a context.")
        hold(
            !state.contains(.gone) || state.isDisjoint(with: [.inserted, .updated, .deletedElsewhere]),
            "is gone and has changes to save."
        )
        hold(
            !state.contains(.deletedElsewhere) || state.contains(.deleted),
            "was deleted elsewhere and is not deleted."
        )
        hold(!state.contains(.unset) || registry == nil, "is in a context and has no default values.")
        hold(!state.contains(.silent), "does not track its changes.")
        for slot in edits?.committed?.keys.sorted() ?? [] where edits?.changed.contains(slot) == false {
            hold(false, "keeps a former value of \(layout.slots[slot].name), which is not changed.")
        }
        return violations
    }

    /// Stops the program with a message if the object's state contradicts itself; tests call it after each operation.
    package final func checkInvariants() {
        if let sentence = invariantViolations.first { preconditionFailure(sentence) }
    }
}
