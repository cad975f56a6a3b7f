// A transaction of an engine that can change rows without objects, for batch requests.

/// A transaction of an engine that can change rows without objects, for batch requests.
package protocol BatchWriteSession: WriteSession {
    /// The row with these values of a uniqueness constraint.
    func key(layout: EntityLayout, slots: [Int], values: ContiguousArray<RowValue>) throws -> ObjectKey?
    /// The number of rows that `insert` takes best at a time.
    var insertedAtOnce: Int { get }
    /// Writes new rows of one entity; like `write`, but nothing is read back.
    func insert(_ rows: StoreChanges) throws
    /// Sets the same values in rows of one entity.
    func update(layout: EntityLayout, keys: [Int64], values: ContiguousArray<RowValue>, slots: SlotSet) throws
    /// Deletes rows and applies their delete rules; returns the deleted and the changed rows.
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey])
}

extension BatchWriteSession {
    /// Few enough rows to stay in the processor's cache.
    package var insertedAtOnce: Int { 256 }
    package func insert(_ rows: StoreChanges) throws { _ = try write(rows) }
}
