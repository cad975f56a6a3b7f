// The effects of recent list changes on the order of all objects, for arrays that mirror the list. Written by
// SectionedList, read by ResultsArray.

/// The most recent changes of a list.
struct ListEdits {
    /// The number of removals and insertions above which rebuilding the array is faster than editing it.
    static var limit: Int { 16 }

    /// Incremented with every change of the order.
    private(set) var revision = 0
    /// Whether an array uses the edits.
    var isRead = false
    /// The most recent edits, up to the current revision.
    private var edits: [ArrayEdit] = []
    private var size = 0

    /// Whether a change with this many removals and insertions is worth recording.
    func takes(_ size: Int) -> Bool { isRead && size <= Self.limit }

    /// Records a change; nil for one that is not worth recording.
    mutating func note(_ edit: ArrayEdit?) {
        revision += 1
        guard let edit else {
            edits.removeAll()
            size = 0
            return
        }
        edits.append(edit)
        size += edit.size
        while size > Self.limit { size -= edits.removeFirst().size }
    }

    /// The edits since a revision; nil if they are no longer stored.
    func since(_ former: Int) -> ArraySlice<ArrayEdit>? {
        guard revision - former <= edits.count else { return nil }
        return edits.suffix(revision - former)
    }
}
