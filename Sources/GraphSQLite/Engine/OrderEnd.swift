// The key of OrderBounds, and of the numbers that a save gives to new members.

/// The end of an owner's ordered members: the place of the next one.
struct OrderEnd: Hashable {
    let table: String
    /// The column that names the owner.
    let column: String
    let owner: Int64
}
