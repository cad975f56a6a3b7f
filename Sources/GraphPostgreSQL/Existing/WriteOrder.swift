// The order in which rows are written to tables of other programs, whose foreign keys are checked after each statement.
import GraphEngine
import GraphSQL

/// An order in which each table follows the tables that its foreign keys reference.
struct WriteOrder {
    private let existing: ExistingTables
    private let map: TableMap
    /// The places of the tables.
    private let places: [String: Int]

    init(_ existing: ExistingTables, _ map: TableMap) {
        self.existing = existing
        self.map = map
        var places: [String: Int] = [:]
        func visit(_ table: String, _ above: Set<String>) {
            guard places[table] == nil, !above.contains(table) else { return }
            for target in existing.destinations(of: table).sorted() { visit(target, above.union([table])) }
            places[table] = places.count
        }
        for table in map.schema.tables { visit(table.name, []) }
        self.places = places
    }

    private func place(_ operation: RowOperation) -> Int {
        map.schema.entities[operation.layout.name].flatMap { places[$0.tableName] } ?? 0
    }

    /// New rows, those first that others lead to.
    func inserts(_ operations: [RowOperation]) -> [RowOperation] { sorted(operations) { $0 < $1 } }

    /// The operations by the places of their tables; otherwise in their order.
    private func sorted(_ operations: [RowOperation], _ isBefore: (Int, Int) -> Bool) -> [RowOperation] {
        var groups: [Int: [RowOperation]] = [:]
        for operation in operations { groups[place(operation), default: []].append(operation) }
        return groups.sorted { isBefore($0.key, $1.key) }.flatMap(\.value)
    }

    /// Deleted rows that are deleted first, so that their unique values are free, and those that are deleted last:
    /// others still lead to them before they are changed.
    func split(_ changes: StoreChanges) -> (first: [RowOperation], last: [RowOperation]) {
        var late: Set<String> = []
        for operation in changes.updates {
            for slot in operation.layout.properties.indices
            where operation.layout.properties[slot].kind == .toOne && operation.slots.contains(slot) {
                guard let target = operation.layout.destination(slot) else { continue }
                if let name = map.schema.entities[target.name]?.tableName { late.insert(name) }
            }
        }
        // Rows that lead to others are deleted before these.
        var open = Array(late)
        while let table = open.popLast() {
            for target in existing.destinations(of: table) where late.insert(target).inserted { open.append(target) }
        }
        func isLate(_ operation: RowOperation) -> Bool {
            map.schema.entities[operation.layout.name].map { late.contains($0.tableName) } == true
        }
        let deletes = sorted(changes.deletes) { $0 > $1 }
        return (deletes.filter { !isLate($0) }, deletes.filter(isLate))
    }
}
