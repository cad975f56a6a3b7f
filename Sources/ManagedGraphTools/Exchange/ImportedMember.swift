// A to-one relationship of one row, in an import. StoreImport keeps the destinations that it has read by it.

/// A to-one relationship of a row.
struct ImportedMember: Hashable {
    /// The index of the entity whose layout has the slot.
    let entity: Int
    let slot: Int
    let key: Int64
}
