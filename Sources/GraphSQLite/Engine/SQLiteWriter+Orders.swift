// Writes the numbers that order the members of relationships. Called by `write`, after the rows and pairs.
import GraphEngine
import GraphSQL

extension SQLiteWriter {
    /// The greatest number of an owner's members before this save; 0 if there is none.
    func lastOrder(at end: OrderEnd, _ order: String) throws -> Int64 {
        if let bound = orderBounds[end] { return bound }
        let rows = try connection.rows(
            "SELECT max(\(order.sqliteName)) FROM \(end.table.sqliteName) WHERE \(end.column.sqliteName) = ?",
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
        var members = operation.members
        var (floor, numbers) = try storedNumbers(of: operation, at: end, statements)
        if floor >= OrderKeys.limit {
            // Nothing fits behind the last number of a damaged store: the other members get new numbers, too.
            numbers = try orderKeys(statements.allKeys, [.integer(operation.source)])
            let appended = Set(members)
            let others = numbers.filter { !appended.contains($0.key) }
                .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            members = others.map(\.key) + members
            floor = 0
        }
        let changes = OrderKeys.changes(members.map { numbers[$0] }, above: floor)
        try write(changes[...], of: members, source: operation.source, statements)
        // The last member has the greatest number.
        guard let last = members.last else { return }
        let change = changes.last.flatMap { $0.place == members.count - 1 ? $0.key : nil }
        orderBounds.note(change ?? numbers[last] ?? floor, at: end)
    }

    /// The exclusive lower bound of the numbers to be given, and those that members have by their keys.
    private func storedNumbers(
        of operation: OrderOperation,
        at end: OrderEnd,
        _ statements: OrderStatements
    ) throws -> (floor: Int64, numbers: [Int64: Int64]) {
        let source = SQLValue.integer(operation.source)
        // The numbers of new pairs were written with them.
        let areMembersNew = operation.areMembersNew && statements.updateRange != nil
        guard operation.isAppended else {
            return (0, areMembersNew ? [:] : try orderKeys(statements.allKeys, [source]))
        }
        let bound = orderBounds[end] ?? (operation.isOwnerNew && areMembersNew ? 0 : nil)
        if let bound, areMembersNew { return (bound, [:]) }
        let list = SQLValue.text(SQLiteEngine.list(operation.members))
        let last =
            try bound.map(SQLValue.integer) ?? connection.rows(statements.lastOfOthers, [source, list]).first?.first
        let numbers = areMembersNew ? [:] : try orderKeys(statements.someKeys, [source, list])
        guard case .integer(let floor)? = last else { return (0, numbers) }
        return (floor, numbers)
    }

    /// Writes new numbers; those of several members whose keys follow each other with one statement.
    private func write(
        _ changes: ArraySlice<(place: Int, key: Int64)>,
        of members: [Int64],
        source: Int64,
        _ statements: OrderStatements
    ) throws {
        let statement = try connection.prepare(statements.update)
        var rest = changes
        while let first = rest.first {
            let (count, gap) = Self.evenRun(rest, of: members)
            if count >= Self.leastOrderedTogether, let text = statements.updateRange {
                let range = try connection.prepare(text)
                let member = members[first.place]
                let marks = [first.key, member, gap, member, member + Int64(count - 1), source]
                for (place, value) in marks.enumerated() { try range.bind(place + 1, value) }
                try range.run()
            } else {
                for (place, number) in rest.prefix(count) {
                    try statement.bind(1, number)
                    try statement.bind(2, source)
                    try statement.bind(3, members[place])
                    try statement.run()
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The number of changes at the beginning whose members have consecutive keys and whose numbers have equal gaps.
    private static func evenRun(
        _ changes: ArraySlice<(place: Int, key: Int64)>,
        of members: [Int64]
    ) -> (count: Int, gap: Int64) {
        var gap: Int64 = 0
        var count = 1
        for (former, next) in zip(changes, changes.dropFirst()) {
            if count == 1 { gap = next.key &- former.key }
            guard members[next.place] == members[former.place] + 1, next.key &- former.key == gap else { break }
            count += 1
        }
        return (count, gap)
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
