// The states of a managed object's life, and their invariants.
//
//   (init) ── insert ──▶ inserted ── save ──▶ clean ◀── fetch ── fault
//                           │                  │ ▲                 ▲
//                           │ delete        set│ │save       refresh│
//                           ▼                  ▼ │                 │
//                        (dropped)          updated ── rollback ───┤
//                                              │                   │
//                                              ▼ delete            │
//                                           deleted ── save ──▶ (no context)

/// What is true of an object now.
struct ObjectState: OptionSet {
    let rawValue: UInt32

    /// The values have not been asked for yet; the snapshot may be there already.
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
    /// Deleted and saved.
    static let gone = ObjectState(rawValue: 4096)
    /// Deleted by someone else: it leaves its context when the event ends.
    static let takenOut = ObjectState(rawValue: 8192)

    /// Each access asks whether it is on the context's queue.
    static let watched = ObjectState(rawValue: 16384)

    /// Made to show the row of a conflict; nobody has seen it yet.
    static let madeForConflict = ObjectState(rawValue: 32768)

    /// Its insertion is being undone: the relationships are restored one by one, not by delete rules.
    static let takenBack = ObjectState(rawValue: 65536)

    /// Reads may be tracked by the Observation library.
    static let tracked = ObjectState(rawValue: 131_072)
    /// Somebody watches the object.
    static let observed = ObjectState(rawValue: 262_144)
    /// What an object keeps whatever becomes of its values.
    static let lasting: ObjectState = [.watched, .tracked, .observed]

    /// Anything that keeps a read from going straight to the values.
    static let needsPreparation: ObjectState = [.fault, .inaccessible, .unset, .watched, .tracked]
}

extension NSManagedObject {
    /// Stops with a sentence where the object's state contradicts itself; tests call it after each operation.
    package final func checkInvariants() {
        precondition(
            !(state.contains(.inserted) && state.contains(.updated)),
            "\(describeForMessages) is inserted and updated at once."
        )
        precondition(
            !state.contains(.fault) || edits == nil || edits?.changed.isEmpty == true,
            "\(describeForMessages) is a fault with unsaved changes."
        )
        precondition(
            !state.contains(.updated) || snapshot != nil || edits?.isWholeRow == true,
            "\(describeForMessages) is updated and has no snapshot to compare with."
        )
        precondition(
            !state.contains(.inserted) || edits != nil,
            "\(describeForMessages) is inserted and has no values."
        )
        precondition(
            registry == nil || state.contains(.inserted) || state.contains(.gone) || key.primaryKey != 0,
            "\(describeForMessages) was saved and has no key."
        )
    }
}
