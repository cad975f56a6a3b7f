// An engine that stores rows in dictionaries, the example of Documentation/Engines.md. It passes the tests of all
// engines, and DictionaryStore makes a store of it.
import Foundation
import GraphEngine
import Synchronization

/// An in-memory store whose content is one value.
///
/// A snapshot is a copy of the content; a transaction changes its own copy, and its commit installs that copy.
final class DictionaryEngine: StoreEngine, Sendable {
    fileprivate struct State {
        var storeIndex: Int32 = 0
        /// The committed content; nil while the store is closed.
        var content: DictionaryContent?
        /// The last key, shared by all trees; not part of the content, because a rollback does not return keys.
        var lastKey: Int64 = 0

        func opened() throws -> DictionaryContent {
            if let content { content } else { throw EngineError(.closed, "the store is closed") }
        }
    }
    fileprivate let state = Mutex(State())
    /// Held for the whole duration of a transaction.
    fileprivate let writing = NSLock()

    var storeIndex: Int32 {
        get { state.withLock(\.storeIndex) }
        set { state.withLock { $0.storeIndex = newValue } }
    }

    func open(_ model: ModelLayout) { state.withLock { $0.content = DictionaryContent(model: model) } }
    func close() { state.withLock { $0.content = nil } }

    func lease(holdsSnapshot: Bool) throws -> any ReadSession {
        _ = try content()
        return DictionarySession(self, holdsSnapshot: holdsSnapshot)
    }
    func giveBack(_ session: any ReadSession) { session.renew() }
    func beginSave(_ origin: SaveOrigin) throws -> any WriteSession {
        writing.lock()
        do {
            return DictionaryTransaction(self, try content())
        } catch {
            writing.unlock()
            throw error
        }
    }

    func split(_ fetch: StoreFetch) -> SplitStoreFetch {
        let all = StoreFetch(layout: fetch.layout, includesSubentities: fetch.includesSubentities)
        return SplitStoreFetch(fetch: all, remainder: fetch.predicate, isSorted: fetch.sort.isEmpty)
    }

    func entityNumber(_ layout: EntityLayout) -> Int64 { Int64(layout.index) + 1 }
    func entityIndex(number: Int64) -> Int? {
        state.withLock { $0.content?.model.entities.indices.first { Int64($0) + 1 == number } }
    }

    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool {
        layout.properties[slot].kind == .toMany && layout.inverse(slot)?.property.kind != .toOne
    }
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool { false }

    fileprivate func content() throws -> DictionaryContent { try state.withLock { try $0.opened() } }
}

/// Reads the committed content, or a snapshot of it.
private class DictionarySession: ReadSession {
    fileprivate let engine: DictionaryEngine
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

/// Changes a copy of the content, and reads from it.
private final class DictionaryTransaction: DictionarySession, WriteSession {
    private var changed: DictionaryContent
    private var isOver = false
    var mayBeWrittenByOthers: Bool { false }

    init(_ engine: DictionaryEngine, _ content: DictionaryContent) {
        changed = content
        super.init(engine, holdsSnapshot: false)
    }

    override func content() throws -> DictionaryContent {
        _ = try engine.content()
        return changed
    }
    func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>] {
        try engine.state.withLock { state in
            _ = try state.opened()
            state.lastKey += Int64(count)
            return [state.lastKey - Int64(count) + 1...state.lastKey]
        }
    }
    func write(_ changes: StoreChanges) throws -> StoreOutcome {
        _ = try content()
        return try changed.apply(changes)
    }
    func commit() throws -> CommitOutcome {
        try engine.state.withLock { state in
            _ = try state.opened()
            state.content = changed
        }
        rollback()
        return CommitOutcome()
    }
    func rollback() {
        if !isOver { engine.writing.unlock() }
        isOver = true
    }
}

/// All rows and pairs at one moment.
private struct DictionaryContent: Sendable {
    let model: ModelLayout
    /// By primary key, which is unique in the whole store.
    var rows: [Int64: DictionaryRow] = [:]
    /// Members by owner and relationship: all members if it has pairs, else those with an explicit order.
    var lists: [Int64: [String: [Int64]]] = [:]

    func rows(_ fetch: StoreFetch) throws -> ArraySlice<DictionaryRow> {
        guard fetch.predicate == nil, fetch.sort.isEmpty else { throw fetch.needsMemory }
        let entities = fetch.includesSubentities ? fetch.layout.family : [fetch.layout.index]
        let all = rows.values.filter { entities.contains($0.layout.index) }.sorted { $0.primaryKey < $1.primaryKey }
        return all.dropFirst(fetch.offset).prefix(fetch.limit == 0 ? .max : fetch.limit)
    }

    func members(_ layout: EntityLayout, _ slot: Int, of owner: Int64) -> [DictionaryRow] {
        let list = lists[owner]?[layout.properties[slot].name] ?? []
        guard let (entity, toOne) = layout.inverse(slot), toOne.kind == .toOne else {
            return list.compactMap { rows[$0] }
        }
        let places = Dictionary(uniqueKeysWithValues: zip(list, list.indices))
        return rows.values
            .filter { $0.layout.isKind(of: entity) && $0.destination(of: toOne.name) == owner }
            .sorted { (places[$0.primaryKey] ?? .max, $0.primaryKey) < (places[$1.primaryKey] ?? .max, $1.primaryKey) }
    }

    mutating func apply(_ changes: StoreChanges) throws -> StoreOutcome {
        let conflicts = (changes.deletes + changes.updates + changes.checks).filter { !fits($0) }
        for operation in changes.deletes where fits(operation) { remove(operation.primaryKey) }
        for operation in changes.updates where fits(operation) { update(operation) }
        for operation in changes.inserts {
            let (layout, key) = (operation.layout, operation.primaryKey)
            rows[key] = DictionaryRow(layout: layout, primaryKey: key, values: operation.values)
        }
        for operation in changes.joins { join(operation) }
        for operation in changes.orders { order(operation) }
        try checkUniqueValues(changes.updates + changes.inserts)
        return StoreOutcome(conflicts: conflicts)
    }

    private func fits(_ operation: RowOperation) -> Bool {
        rows[operation.primaryKey].map { [$0.version, RowOperation.anyVersion].contains(operation.version) } ?? false
    }
    private mutating func remove(_ key: Int64) {
        rows[key] = nil
        lists[key] = nil
        lists = lists.mapValues { $0.mapValues { list in list.filter { $0 != key } } }
    }
    private mutating func update(_ operation: RowOperation) {
        operation.slots.forEach { rows[operation.primaryKey]?.values[$0] = operation.values[$0] }
        rows[operation.primaryKey]?.version += 1
    }
    private mutating func join(_ operation: JoinOperation) {
        func set(_ owner: Int64, _ name: String, _ member: Int64) {
            lists[owner, default: [:]][name, default: []].removeAll { $0 == member }
            if operation.isInsert { lists[owner]?[name]?.append(member) }
        }
        set(operation.source, operation.layout.properties[operation.slot].name, operation.destination)
        guard let inverse = operation.layout.inverse(operation.slot) else { return }
        set(operation.destination, inverse.property.name, operation.source)
    }
    private mutating func order(_ operation: OrderOperation) {
        let name = operation.layout.properties[operation.slot].name
        let others = (lists[operation.source]?[name] ?? []).filter { !operation.members.contains($0) }
        lists[operation.source, default: [:]][name] =
            operation.isAppended ? others + operation.members : operation.members + others
    }
    private func checkUniqueValues(_ operations: [RowOperation]) throws {
        for row in operations.compactMap({ rows[$0.primaryKey] }) {
            for names in row.layout.uniquenessConstraints where !names.map(row.value(named:)).contains(.null) {
                let others = rows.values.filter {
                    $0.layout.tree === row.layout.tree && $0.primaryKey != row.primaryKey
                }
                if others.contains(where: { names.map($0.value(named:)) == names.map(row.value(named:)) }) {
                    throw EngineError(.uniqueValue, "another row has these \(names)")
                }
            }
        }
    }
}

/// One row, with its values by slot, unconverted.
private struct DictionaryRow: Sendable {
    let layout: EntityLayout
    let primaryKey: Int64
    var version: Int64 = 1
    var values: ContiguousArray<RowValue>

    func value(named name: String) -> RowValue { layout.slot(named: name).map { values[$0] } ?? .null }
    func destination(of toOne: String) -> Int64? {
        if case .key(let key) = value(named: toOne) { key.primaryKey } else { nil }
    }

    /// The row with the columns of its tree.
    var columns: [RowValue] {
        let number: [RowValue] = layout.tree.isInTree ? [.integer(Int64(layout.index) + 1)] : []
        return [.integer(primaryKey), .integer(version)] + number
            + layout.tree.columns.map { column in
                guard let declaring = layout.model.byName[column.entityName], layout.isKind(of: declaring),
                    let slot = layout.slot(named: column.propertyName)
                else { return .null }
                switch values[slot] {
                case .key(let key): return .integer(column.isEntityNumber ? Int64(key.entity) + 1 : key.primaryKey)
                case .data(let data) where layout.properties[slot].allowsExternalStorage:
                    return .data(LargeValue.inline(data))
                case let value: return value
                }
            }
    }
}

extension EntityLayout {
    fileprivate func inverse(_ slot: Int) -> (entity: EntityLayout, property: PropertyLayout)? {
        guard properties[slot].inverseSlot >= 0, let destination = destination(slot) else { return nil }
        return (destination, destination.properties[properties[slot].inverseSlot])
    }
}

extension StoreFetch {
    /// Refuses the fetch, so that the graph splits it.
    fileprivate var needsMemory: TranslationError {
        let expression = "\(predicate.map { "\($0)" } ?? "")\(sort.map(\.keyPath))"
        return TranslationError(
            kind: .needsMemory,
            entity: layout.name,
            expression: expression,
            reason: "rows are not searched"
        )
    }
}
