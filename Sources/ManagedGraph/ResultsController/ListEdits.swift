// What recent changes of a list did to the order of all its objects, for those who keep them in one array. Written by
// SectionedList, read by ResultsArray.

/// One change of a list as a change of an array.
struct ArrayEdit<Object: AnyObject> {
    /// The indexes before the change of those who leave, ascending.
    var removals: [Int]
    /// Those who come, by their indexes after the change, ascending.
    var insertions: [(index: Int, object: Object)]

    var size: Int { removals.count + insertions.count }
}

/// The last changes of a list.
struct ListEdits<Object: AnyObject> {
    /// Removals and insertions beyond which making the array anew takes less time than editing it.
    static var limit: Int { 16 }

    /// Changes with every change of the order.
    private(set) var revision = 0
    /// Whether anyone reads the edits.
    var isRead = false
    /// The last edits; they lead to the revision.
    private var edits: [ArrayEdit<Object>] = []
    private var size = 0

    /// Whether a change with so many removals and insertions is worth noting.
    func takes(_ size: Int) -> Bool { isRead && size <= Self.limit }

    /// Notes a change; nil for one that is not worth it.
    mutating func note(_ edit: ArrayEdit<Object>?) {
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

    /// The edits since a revision; nil where they are not known any more.
    func since(_ former: Int) -> ArraySlice<ArrayEdit<Object>>? {
        guard revision - former <= edits.count else { return nil }
        return edits.suffix(revision - former)
    }
}
