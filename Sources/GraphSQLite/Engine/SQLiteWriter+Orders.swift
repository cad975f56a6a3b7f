// Writes the numbers that order the members of relationships. Called by `write`, after the rows and pairs.
import GraphEngine
import GraphSQL

/// The end of an owner's ordered members: the place of the next one.
struct OrderEnd: Hashable {
    let table: String
    /// The column that names the owner.
    let column: String
    let owner: Int64
}

/// Numbers above which no member is, so that a save that appends one does not read the numbers of all.
///
/// They hold until another connection writes the file. A member that leaves, or a save that is rolled back, leaves a number that
/// is too great, which does no harm.
struct OrderBounds {
    /// The most owners that are remembered.
    static let limit = 4096
    private var numbers: [OrderEnd: Int64] = [:]

    subscript(end: OrderEnd) -> Int64? { numbers[end] }

    mutating func note(_ number: Int64, at end: OrderEnd) {
        if numbers.count >= Self.limit, numbers[end] == nil { numbers = [:] }
        numbers[end] = number
    }

    mutating func forget() { if !numbers.isEmpty { numbers = [:] } }
}

extension SQLiteWriter {
    /// The greatest number of an owner's members before this save; 0 if there is none.
    func lastOrder(at end: OrderEnd, _ order: String) throws -> Int64 {
        if let bound = orderBounds[end] { return bound }
        let rows = try connection.rows(
            "SELECT max(\(order)) FROM \(end.table) WHERE \(end.column) = ?",
            [.integer(end.owner)]
        )
        guard case .integer(let last)? = rows.first?.first else { return 0 }
        return last
    }

    func write(_ operation: OrderOperation) throws {
        guard let statements = orderStatements(operation.layout, operation.slot) else { return }
        let end = OrderEnd(table: statements.table, column: statements.ownerColumn, owner: operation.source)
        let source = SQLValue.integer(operation.source)
        var members = operation.members
        var floor: Int64 = 0
        var orderKeysByMember: [Int64: Int64] = [:]
        if operation.isAppended {
            let list = SQLValue.text(SQLiteEngine.list(members))
            if let bound = orderBounds[end] {
                floor = bound
            } else if case .integer(let last)? =
                try connection.rows(statements.lastOfOthers, [source, list]).first?.first
            {
                floor = last
            }
            orderKeysByMember = try orderKeys(statements.someKeys, [source, list])
        } else {
            orderKeysByMember = try orderKeys(statements.allKeys, [source])
        }
        if floor >= OrderKeys.limit {
            // Nothing fits behind the last number of a damaged store: the other members get new numbers, too.
            orderKeysByMember = try orderKeys(statements.allKeys, [source])
            let appended = Set(members)
            let others = orderKeysByMember.filter { !appended.contains($0.key) }
                .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            members = others.map(\.key) + members
            floor = 0
        }
        let changes = OrderKeys.changes(members.map { orderKeysByMember[$0] }, above: floor)
        let statement = try connection.prepare(statements.update)
        for (place, key) in changes {
            try statement.bind(1, key)
            try statement.bind(2, operation.source)
            try statement.bind(3, members[place])
            try statement.run()
            orderKeysByMember[members[place]] = key
        }
        orderBounds.note(members.reduce(floor) { max($0, orderKeysByMember[$1] ?? 0) }, at: end)
    }

    /// Order numbers by member.
    private func orderKeys(_ sql: String, _ values: [SQLValue]) throws -> [Int64: Int64] {
        var result: [Int64: Int64] = [:]
        for row in try connection.rows(sql, values) {
            if case .integer(let member) = row[0], case .integer(let key) = row[1] { result[member] = key }
        }
        return result
    }

    private func orderStatements(_ layout: EntityLayout, _ slot: Int) -> OrderStatements? {
        switch engine.schema.entities[layout.name]?.properties[layout.properties[slot].name] {
        case .manyToMany(let join): OrderStatements(join)
        case .toManyInverse(let inverse): OrderStatements(inverse)
        default: nil
        }
    }
}
