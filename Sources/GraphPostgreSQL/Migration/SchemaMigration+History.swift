// The history of a migrated store: changes of removed entities are deleted, and the others renumbered for the new
// model's properties. Entities keep their numbers. Called within the migration's transaction.
import Foundation
import GraphSQL

extension SchemaMigration {
    func writeHistory(_ plan: MigrationPlan, _ connection: PostgreSQLConnection) throws {
        if !plan.removedNumbers.isEmpty {
            try connection.execute(
                SQLStatement("DELETE FROM \(own.change) WHERE entity = ANY($1)", [.keys(plan.removedNumbers)])
            )
        }
        for change in plan.history {
            if let numbers = change.properties { try renumber(numbers, of: change.number, connection) }
            if let numbers = change.tombstones { try renumberPreserved(numbers, of: change.number, connection) }
        }
    }

    /// Renumbers the changed properties; there are few distinct sets of them.
    private func renumber(_ numbers: [Int: Int], of entity: Int64, _ connection: PostgreSQLConnection) throws {
        let sets = try connection.execute(
            SQLStatement(
                "SELECT DISTINCT properties FROM \(own.change) WHERE entity = $1 AND properties IS NOT NULL",
                [.integer(entity)]
            )
        )
        var (before, after): ([SQLValue], [SQLValue]) = ([], [])
        for row in 0..<sets.count {
            guard let bits = sets.data(0, row) else { continue }
            let new = HistorySchema.bits(HistorySchema.numbers(bits).compactMap { numbers[$0] }.sorted())
            before.append(.blob(bits))
            after.append(new.isEmpty ? .null : .blob(Data(new)))
        }
        guard !before.isEmpty else { return }
        try connection.execute(
            SQLStatement(
                "UPDATE \(own.change) SET properties = v.n FROM unnest($2, $3) AS v(o, n) "
                    + "WHERE entity = $1 AND properties = v.o",
                [.integer(entity), .typed(.list(before, .data)), .typed(.list(after, .data))]
            ),
            prepares: false
        )
    }

    /// The number of rows whose preserved values are rewritten together.
    private static let portion = 1_000

    /// Renumbers the preserved values of deleted objects, which are property lists by the number of the attribute.
    private func renumberPreserved(_ numbers: [Int: Int], of entity: Int64, _ connection: PostgreSQLConnection) throws {
        var last: (transaction: Int64, position: Int64) = (-1, -1)
        while true {
            let rows = try connection.execute(
                SQLStatement(
                    "SELECT transaction, position, preserved FROM \(own.change) WHERE entity = $1 AND preserved IS NOT "
                        + "NULL AND (transaction, position) > ($2, $3) ORDER BY transaction, position "
                        + "LIMIT \(Self.portion)",
                    [.integer(entity), .integer(last.transaction), .integer(last.position)]
                )
            )
            guard rows.count > 0 else { return }
            var (transactions, positions, values): ([Int64], [Int64], [SQLValue]) = ([], [], [])
            for row in 0..<rows.count {
                last = (try rows.integer(0, row) ?? 0, try rows.integer(1, row) ?? 0)
                transactions.append(last.transaction)
                positions.append(last.position)
                values.append(try Self.renumbered(rows.data(2, row) ?? Data(), numbers))
            }
            try connection.execute(
                SQLStatement(
                    "UPDATE \(own.change) AS c SET preserved = v.p FROM unnest($1, $2, $3) AS v(t, n, p) "
                        + "WHERE c.transaction = v.t AND c.position = v.n",
                    [.keys(transactions), .keys(positions), .typed(.list(values, .data))]
                ),
                prepares: false
            )
        }
    }

    private static func renumbered(_ data: Data, _ numbers: [Int: Int]) throws -> SQLValue {
        let list = try StoredList.read(data, "history", of: "_change")
        var result: [String: Any] = [:]
        for (key, value) in list {
            if let number = Int(key).flatMap({ numbers[$0] }) { result["\(number)"] = value }
        }
        if result.isEmpty { return .null }
        return .blob(try PropertyListSerialization.data(fromPropertyList: result, format: .binary, options: 0))
    }
}
