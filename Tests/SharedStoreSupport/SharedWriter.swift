// The numbered steps of one writer of a shared store. The number of a step determines its kind, so that a check can
// compute the rows that must be there after it. Each step is one transaction, whose author is "WRITER:NUMBER".
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport

/// Writes a shared store step by step.
package struct SharedWriter {
    /// The number of the first step.
    package static let first = 10
    /// The number of rows of a batch.
    package static let batch = 8

    private let context: NSManagedObjectContext
    private let writer: Int
    private var random: SeededNumbers

    package init(_ store: SharedStore, writer: Int, seed: UInt64) {
        context = store.coordinator.makeContext()
        context.undoManager = nil
        self.writer = writer
        random = SeededNumbers(run: seed, of: UInt64(writer))
    }

    /// Executes a step.
    ///
    /// - Throws: The error of the save; the context is then empty.
    package mutating func run(_ number: Int) throws {
        var numbers = random
        defer { random = numbers }
        try context.performAndWait { () throws in
            defer { context.reset() }
            context.transactionAuthor = "\(writer):\(number)"
            switch number % 10 {
            case 0:
                let rows = (0..<Self.batch).map { part -> [String: Any] in
                    ["writer": writer, "sequence": number, "part": part, "parts": Self.batch, "mark": 0]
                }
                try context.execute(NSBatchInsertRequest(entityName: "Entry", objects: rows))
            case 3:
                let request = NSBatchUpdateRequest(entityName: "Entry")
                request.predicate = NSPredicate(format: "writer == %d AND sequence == %d", writer, number - 3)
                request.propertiesToUpdate = ["mark": number]
                try context.execute(request)
            case 6:
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
                request.predicate = NSPredicate(format: "writer == %d AND sequence == %d", writer, number - 6)
                try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            default: try transfer(number, &numbers)
            }
        }
    }

    /// Moves an amount between two accounts with an entry of two lines; each tenth step also takes an earlier one back.
    private func transfer(_ number: Int, _ random: inout SeededNumbers) throws {
        let entry = context.make("Entry", ["writer": writer, "sequence": number, "parts": 1])
        let amount = 1 + random.below(100)
        let from = random.below(SharedStore.accounts)
        let to = (from + 1 + random.below(SharedStore.accounts - 1)) % SharedStore.accounts
        let accounts = try context.all("Account", "number IN %@", [[from, to]])
        guard accounts.count == 2 else { throw CocoaError(.coderValueNotFound) }
        for (account, sign) in zip(accounts, [1, -1]) {
            account.setValue(account.number("balance") + sign * amount, forKey: "balance")
            context.make("Line", ["amount": sign * amount, "entry": entry, "account": account])
        }
        let labels = try context.all("Label", "TRUEPREDICATE").filter { _ in random.chance(40) }
        entry.setValue(NSSet(array: labels), forKey: "labels")
        if number % 10 == 8 {
            guard let earlier = try context.all("Entry", "writer == %d AND sequence == %d", [writer, number - 4]).first
            else { throw CocoaError(.coderValueNotFound) }
            for line in earlier.value(forKey: "lines") as? Set<NSManagedObject> ?? [] {
                guard let account = line.value(forKey: "account") as? NSManagedObject else { continue }
                account.setValue(account.number("balance") - line.number("amount"), forKey: "balance")
            }
            context.delete(earlier)
        }
        try context.save()
    }

    /// Whether a step is in the store; asked if the error of a save says that its outcome is not known.
    package func isDone(_ number: Int) throws -> Bool {
        try context.performAndWait { () throws in
            defer { context.reset() }
            switch number % 10 {
            case 3: return try !context.all("Entry", "writer == %d AND mark == %d", [writer, number]).isEmpty
            case 6: return try context.all("Entry", "writer == %d AND sequence == %d", [writer, number - 6]).isEmpty
            default: return try !context.all("Entry", "writer == %d AND sequence == %d", [writer, number]).isEmpty
            }
        }
    }

    /// The SQL that lists everything that is wrong in a schema's tables, in one snapshot; no rows if nothing is.
    ///
    /// - Parameter schema: The name of the schema.
    /// - Returns: A statement.
    package static func violations(schema: String) -> String {
        func table(_ name: String) -> String { "\(schema).\"\(name)\"" }
        let authors = """
            SELECT split_part(author, ':', 1)::bigint AS w, split_part(author, ':', 2)::bigint AS s, number \
            FROM \(schema)._transaction WHERE author LIKE '%:%'
            """
        return """
            WITH steps AS (\(authors)), ends AS (SELECT w, max(s) AS n, count(*) AS c FROM steps GROUP BY w),
            wanted AS (
              SELECT w, s, CASE s % 10 WHEN 0 THEN CASE WHEN s + 6 <= n THEN 0 ELSE \(batch) END WHEN 3 THEN 0
                WHEN 6 THEN 0 WHEN 4 THEN CASE WHEN s + 4 <= n THEN 0 ELSE 1 END ELSE 1 END AS parts,
                CASE WHEN s % 10 = 0 AND s + 3 <= n THEN s + 3 ELSE 0 END AS mark
              FROM ends, generate_series(\(first), n) AS s),
            found AS (SELECT writer AS w, sequence AS s, count(*) AS parts, min(mark) AS mark, max(mark) AS most
              FROM \(table("Entry")) GROUP BY writer, sequence),
            sums AS (SELECT account, sum(amount) AS total FROM \(table("Line")) GROUP BY account),
            changes AS (SELECT transaction, sum(count) AS c, sum(count) FILTER (WHERE type = 0) AS inserted
              FROM \(schema)._change GROUP BY transaction)
            SELECT 'steps of writer ' || w || ' are missing or twice: ' || c || ' up to ' || n FROM ends
              WHERE c <> n - \(first - 1)
            UNION ALL SELECT 'step ' || w || ':' || s || ' has ' || COALESCE(f.parts, 0) || ' rows, not ' || v.parts
              FROM wanted AS v LEFT JOIN found AS f USING (w, s) WHERE COALESCE(f.parts, 0) <> v.parts
            UNION ALL SELECT 'step ' || w || ':' || s || ' is marked ' || f.mark || ' to ' || f.most || ', not ' || v.mark
              FROM wanted AS v JOIN found AS f USING (w, s) WHERE f.mark <> v.mark OR f.most <> v.mark
            UNION ALL SELECT 'step ' || w || ':' || s || ' is not in the history' FROM found AS f
              LEFT JOIN wanted AS v USING (w, s) WHERE v.w IS NULL
            UNION ALL SELECT 'account ' || a.number || ' has ' || a.balance || ', its lines ' || COALESCE(l.total, 0)
              FROM \(table("Account")) AS a LEFT JOIN sums AS l ON l.account = a._id
              WHERE a.balance <> COALESCE(l.total, 0)
            UNION ALL SELECT 'entry ' || e.writer || ':' || e.sequence || ' has ' || count(l.*) || ' lines'
              FROM \(table("Entry")) AS e LEFT JOIN \(table("Line")) AS l ON l.entry = e._id WHERE e.parts = 1
              GROUP BY e._id, e.writer, e.sequence HAVING count(l.*) <> 2 OR sum(l.amount) <> 0
            UNION ALL SELECT 'a line without an entry' FROM \(table("Line")) WHERE entry IS NULL
            UNION ALL SELECT 'step ' || w || ':' || s || ' has ' || COALESCE(c.inserted, 0) || ' new rows in the history'
              FROM steps LEFT JOIN changes AS c ON c.transaction = number WHERE COALESCE(c.inserted, 0) <>
              CASE s % 10 WHEN 0 THEN \(batch) WHEN 3 THEN 0 WHEN 6 THEN 0 ELSE 3 END OR c.c IS NULL
            UNION ALL SELECT 'step ' || w || ':' || s || ' is before an earlier one in the history' FROM
              (SELECT w, s, lag(s) OVER (PARTITION BY w ORDER BY number) AS before FROM steps) AS o WHERE before > s
            """
    }
}
