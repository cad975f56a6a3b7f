// The content of a DictionaryEngine, and the changes of it.
import GraphEngine

/// All rows and pairs at one moment.
struct DictionaryContent: Sendable {
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

extension EntityLayout {
    func inverse(_ slot: Int) -> (entity: EntityLayout, property: PropertyLayout)? {
        guard properties[slot].inverseSlot >= 0, let destination = destination(slot) else { return nil }
        return (destination, destination.properties[properties[slot].inverseSlot])
    }
}

extension StoreFetch {
    /// Refuses the fetch, so that the graph splits it.
    var needsMemory: TranslationError {
        let expression = "\(predicate.map { "\($0)" } ?? "")\(sort.map(\.keyPath))"
        return TranslationError(
            kind: .needsMemory,
            entity: layout.name,
            expression: expression,
            reason: "rows are not searched"
        )
    }
}
