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
        guard let statements = texts.order(of: operation.layout, slot: operation.slot, in: engine.schema) else {
            return
        }
        let end = OrderEnd(table: statements.table, column: statements.ownerColumn, owner: operation.source)
        let source = SQLValue.integer(operation.source)
        var members = operation.members
        var floor: Int64 = 0
        var orderKeysByMember: [Int64: Int64] = [:]
        // The numbers of new pairs were written with them.
        let areMembersNew = operation.areMembersNew && statements.updateRange != nil
        if operation.isAppended {
            let list = SQLValue.text(SQLiteEngine.list(members))
            if let bound = orderBounds[end] {
                floor = bound
            } else if !(operation.isOwnerNew && areMembersNew),
                case .integer(let last)? = try connection.rows(statements.lastOfOthers, [source, list]).first?.first
            {
                floor = last
            }
            if !areMembersNew { orderKeysByMember = try orderKeys(statements.someKeys, [source, list]) }
        } else if !areMembersNew {
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
        try write(changes, of: members, source: operation.source, statements)
        // The last member has the greatest number.
        guard let last = members.last else { return }
        let change = changes.last.flatMap { $0.place == members.count - 1 ? $0.key : nil }
        orderBounds.note(change ?? orderKeysByMember[last] ?? floor, at: end)
    }

    /// Writes new numbers; those of several members whose keys and numbers have equal gaps with one statement.
    private func write(
        _ changes: [(place: Int, key: Int64)],
        of members: [Int64],
        source: Int64,
        _ statements: OrderStatements
    ) throws {
        let statement = try connection.prepare(statements.update)
        var next = 0
        while next < changes.count {
            let first = (member: members[changes[next].place], number: changes[next].key)
            var count = 1
            var gap: Int64 = 0
            while next + count < changes.count {
                let (place, number) = changes[next + count]
                if count == 1 { gap = number - first.number }
                guard members[place] == first.member + Int64(count), number == first.number + Int64(count) * gap else {
                    break
                }
                count += 1
            }
            if count >= Self.leastOrderedTogether, let text = statements.updateRange {
                let range = try connection.prepare(text)
                let marks = [
                    first.number, first.member, gap, first.member, first.member + Int64(count - 1), source,
                ]
                for (place, value) in marks.enumerated() { try range.bind(place + 1, value) }
                try range.run()
            } else {
                for (place, number) in changes[next..<next + count] {
                    try statement.bind(1, number)
                    try statement.bind(2, source)
                    try statement.bind(3, members[place])
                    try statement.run()
                }
            }
            next += count
        }
    }

    /// The least number of members for which a statement of their range takes less time.
    private static var leastOrderedTogether: Int { 3 }

    /// Order numbers by member.
    private func orderKeys(_ sql: String, _ values: [SQLValue]) throws -> [Int64: Int64] {
        var result: [Int64: Int64] = [:]
        for row in try connection.rows(sql, values) {
            if case .integer(let member) = row[0], case .integer(let key) = row[1] { result[member] = key }
        }
        return result
    }
}
