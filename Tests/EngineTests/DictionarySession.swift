// The reading sessions of DictionaryEngine.
import GraphEngine

/// Reads the committed content, or a snapshot of it.
class DictionarySession: ReadSession {
    let engine: DictionaryEngine
    private let holdsSnapshot: Bool
    private var snapshot: (content: DictionaryContent, began: Moment)?

    init(_ engine: DictionaryEngine, holdsSnapshot: Bool) {
        (self.engine, self.holdsSnapshot) = (engine, holdsSnapshot)
    }

    /// The content that the next read uses.
    func content() throws -> DictionaryContent {
        // Read the clock first: a snapshot must not seem newer than it is.
        let began = Moment.now
        let newest = try engine.content()
        if holdsSnapshot, snapshot == nil { snapshot = (newest, began) }
        return snapshot?.content ?? newest
    }

    var snapshotBegan: Moment? { snapshot?.began }
    func renew() { snapshot = nil }

    func rows(_ fetch: StoreFetch) throws -> RowBatch {
        try RowBatch(kinds: fetch.layout.tree.kinds, rows: content().rows(fetch).map(\.columns))
    }
    func rows(_ fetch: StoreFetch, columns: [Int]) throws -> RowBatch {
        let (kinds, rows) = (fetch.layout.tree.kinds, try content().rows(fetch).map(\.columns))
        return try RowBatch(kinds: columns.map { kinds[$0] }, rows: rows.map { row in columns.map { row[$0] } })
    }
    func eachBatch(_ fetch: StoreFetch, size: Int, _ body: (RowBatch) throws -> Bool) throws {
        var rest = try content().rows(fetch)
        while !rest.isEmpty {
            let rows = rest.prefix(size).map(\.columns)
            guard try body(RowBatch(kinds: fetch.layout.tree.kinds, rows: rows)) else { return }
            rest = rest.dropFirst(size)
        }
    }
    func keys(_ fetch: StoreFetch) throws -> RowBatch {
        let first = TreeLayout.primaryKeyColumn
        return try rows(fetch, columns: fetch.layout.tree.isInTree ? [first, TreeLayout.entityColumn] : [first])
    }
    func count(_ fetch: StoreFetch) throws -> Int { try content().rows(fetch).count }
    func eachRow(_ fetch: StoreFetch, _: ColumnFetch, _: ([RowValue], [ResultColumn]) throws -> Void) throws {
        throw fetch.needsMemory
    }

    func rows(tree: TreeLayout, keys: [Int64]) throws -> RowBatch {
        let content = try content()
        return try RowBatch(kinds: tree.kinds, rows: keys.compactMap { content.rows[$0]?.columns })
    }
    func members(layout: EntityLayout, slot: Int, primaryKey: Int64) throws -> [ObjectKey] {
        try content().members(layout, slot, of: primaryKey).map {
            ObjectKey($0.layout.index, store: engine.storeIndex, $0.primaryKey)
        }
    }
    func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        let content = try content()
        let kinds = layout.destination(slot)?.tree.kinds ?? []
        let rows = owners.flatMap { key in content.members(layout, slot, of: key).map { $0.columns + [.integer(key)] } }
        return try RowBatch(kinds: kinds + [.integer], rows: rows)
    }
}
