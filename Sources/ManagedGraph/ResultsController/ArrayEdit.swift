// One change of a list, for arrays that mirror it.

/// One change of a list as an edit of an array.
struct ArrayEdit {
    /// The indexes of removed objects before the change, ascending.
    var removals: [Int]
    /// The inserted objects with their indexes after the change, ascending.
    var insertions: [(index: Int, object: NSManagedObject)]

    var size: Int { removals.count + insertions.count }
}
