/// A transaction of an engine that can change rows without objects, for batch requests.
package protocol BatchWriteSession: WriteSession {
    /// The row with these values of a uniqueness constraint.
    func key(layout: EntityLayout, slots: [Int], values: ContiguousArray<RowValue>) throws -> ObjectKey?
    /// The number of rows that `keys` takes best at a time; 1 if looking rows up one by one costs no round trips.
    var lookedUpAtOnce: Int { get }
    /// The rows with the unique values of each of some rows.
    ///
    /// - Parameters:
    ///   - layout: The entity of the rows.
    ///   - constraints: The slots of each uniqueness constraint.
    ///   - rows: The values of the rows, by slot.
    /// - Returns: For each constraint the keys in the order of the rows; nil for a row that has a null among the
    ///   values, or whose values no stored row has.
    /// - Throws: `EngineError`.
    func keys(layout: EntityLayout, constraints: [[Int]], rows: [ContiguousArray<RowValue>]) throws -> [[ObjectKey?]]
    /// The value that a row has after a value of a slot was written: the store can lack the exact one.
    func stored(_ value: RowValue, layout: EntityLayout, slot: Int) throws -> RowValue
    /// The number of rows that `insert` takes best at a time.
    var insertedAtOnce: Int { get }
    /// Writes new rows of one entity; like `write`, but nothing is read back.
    func insert(_ rows: StoreChanges) throws
    /// Sets the same values in rows of one entity.
    func update(layout: EntityLayout, keys: [Int64], values: ContiguousArray<RowValue>, slots: SlotSet) throws
    /// Sets the same values, and values computed for each, in all rows of a fetch.
    ///
    /// - Parameters:
    ///   - fetch: The rows.
    ///   - values: The values that are the same in all rows, by slot.
    ///   - slots: The slots of these values.
    ///   - computed: The slots of the others, with their expressions.
    /// - Returns: The rows; nil, and nothing is changed, if their keys or the computed values have to be read first.
    /// - Throws: `EngineError`.
    func update(
        _ fetch: StoreFetch,
        values: ContiguousArray<RowValue>,
        slots: SlotSet,
        computed: [(slot: Int, column: PlanColumn)]
    ) throws -> [ObjectKey]?
    /// Those of some keys that have rows, as `delete` takes them; all keys if it reports only rows that were there.
    func existing(_ keys: [ObjectKey]) throws -> [ObjectKey]
    /// Deletes rows and applies their delete rules; returns the deleted and the changed rows.
    func delete(_ keys: [ObjectKey]) throws -> (deleted: [ObjectKey], changed: [ObjectKey])
    /// The same for all rows of a fetch; nil, and nothing is changed, if their keys have to be read first.
    func delete(_ fetch: StoreFetch) throws -> (deleted: [ObjectKey], changed: [ObjectKey])?
}

extension BatchWriteSession {
    /// Few enough rows to stay in the processor's cache.
    package var insertedAtOnce: Int { 256 }
    package func insert(_ rows: StoreChanges) throws { _ = try write(rows) }

    package var lookedUpAtOnce: Int { 1 }

    package func keys(layout: EntityLayout, constraints: [[Int]], rows: [ContiguousArray<RowValue>]) throws
        -> [[ObjectKey?]]
    {
        try constraints.map { slots in try rows.map { try key(layout: layout, slots: slots, values: $0) } }
    }

    package func update(
        _ fetch: StoreFetch,
        values: ContiguousArray<RowValue>,
        slots: SlotSet,
        computed: [(slot: Int, column: PlanColumn)]
    ) throws -> [ObjectKey]? {
        nil
    }

    package func existing(_ keys: [ObjectKey]) throws -> [ObjectKey] { keys }

    package func delete(_ fetch: StoreFetch) throws -> (deleted: [ObjectKey], changed: [ObjectKey])? { nil }

    package func stored(_ value: RowValue, layout: EntityLayout, slot: Int) throws -> RowValue { value }
}
