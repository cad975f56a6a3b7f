// The values of a partial fault: the properties that a fetch has read (FetchOperation+Partial). Used by accessors and
// when it fires.

extension NSManagedObject {
    /// Whether a value of a fault is in memory, so that reading it need not fire the fault.
    func hasPartialValue(_ slot: Int) -> Bool {
        guard slot >= 0, let edits, edits.isPartial, snapshot == nil else { return false }
        return !edits.values[slot].isAbsent
    }

    /// Forgets the values that a partial fetch has read.
    func dropPartialValues() {
        _ = takePartialValues()
    }

    /// The same; returns the values.
    @inline(__always)
    func takePartialValues() -> Edits? {
        guard let partial = edits, partial.isPartial else { return nil }
        edits = nil
        return partial
    }
}
