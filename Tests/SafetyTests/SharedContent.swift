// The rows and the history of a SQLite file that SharedStoreProgram writes, read beside it, and the rules they must keep.
import GraphSQL
import GraphSQLite
import SharedStoreSupport

/// The rows of a shared store in one snapshot.
struct SharedContent {
    private struct Step: Hashable {
        let writer, number: Int
    }

    private struct Entry {
        let step: Step
        let parts, mark: Int
    }

    /// The authors of all transactions in the order of their numbers.
    let authors: [String]
    /// The steps of each writer in the order of the history, with the number of rows each has inserted.
    private let steps: [Int: [(number: Int, inserted: Int)]]
    private let entries: [Int: Entry]
    private let accounts: [Int: Int]
    /// The entry, the account and the amount of each line; 0 for none.
    private let lines: [(entry: Int, account: Int, amount: Int)]

    init(_ connection: Connection) throws {
        func number(_ value: SQLValue) -> Int {
            if case .integer(let number) = value { Int(number) } else { 0 }
        }
        let history = try connection.rows(
            "SELECT ZNAME, (SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = ATRANSACTION.Z_PK AND ZCHANGETYPE = 0) "
                + "FROM ATRANSACTION LEFT JOIN ATRANSACTIONSTRING ON ATRANSACTIONSTRING.Z_PK = ZAUTHORTS "
                + "ORDER BY ATRANSACTION.Z_PK"
        )
        authors = history.map { if case .text(let name) = $0[0] { name } else { "" } }
        var steps: [Int: [(number: Int, inserted: Int)]] = [:]
        for (author, row) in zip(authors, history) {
            let parts = author.split(separator: ":").compactMap { Int($0) }
            if parts.count == 2 { steps[parts[0], default: []].append((parts[1], number(row[1]))) }
        }
        self.steps = steps
        var entries: [Int: Entry] = [:]
        for values in try connection.rows("SELECT Z_PK, ZWRITER, ZSEQUENCE, ZPARTS, ZMARK FROM ZENTRY") {
            let row = values.map(number)
            entries[row[0]] = Entry(step: Step(writer: row[1], number: row[2]), parts: row[3], mark: row[4])
        }
        self.entries = entries
        accounts = try Dictionary(
            uniqueKeysWithValues: connection.rows("SELECT Z_PK, ZBALANCE FROM ZACCOUNT").map {
                (number($0[0]), number($0[1]))
            }
        )
        lines = try connection.rows("SELECT ZENTRY, ZACCOUNT, ZAMOUNT FROM ZLINE").map {
            (number($0[0]), number($0[1]), number($0[2]))
        }
    }

    /// The last step of a writer that is in the history.
    func lastStep(of writer: Int) -> Int { steps[writer]?.last?.number ?? SharedWriter.first - 1 }

    /// Everything that is wrong.
    func violations() -> [String] {
        var violations: [String] = []
        let rows = Dictionary(grouping: entries.values, by: \.step)
        var expectedSteps = Set<Step>()
        for (writer, steps) in steps {
            let last = steps.last?.number ?? 0
            if steps.map(\.number) != Array(SharedWriter.first..<SharedWriter.first + steps.count) {
                violations.append("the steps of writer \(writer) are missing, twice or in another order in the history")
            }
            for (number, inserted) in steps {
                let step = Step(writer: writer, number: number)
                expectedSteps.insert(step)
                let wanted = Self.result(of: number, last: last)
                let present = rows[step] ?? []
                if present.count != wanted.rows {
                    violations.append("\(step) has \(present.count) rows, not \(wanted.rows)")
                }
                if present.contains(where: { $0.mark != wanted.mark }) {
                    violations.append("\(step) is not marked \(wanted.mark)")
                }
                if inserted != wanted.inserted { violations.append("\(step) has \(inserted) new rows in the history") }
            }
        }
        for step in rows.keys where !expectedSteps.contains(step) { violations.append("\(step) is not in the history") }
        let ofAccount = Dictionary(grouping: lines, by: \.account).mapValues { $0.map(\.amount).reduce(0, +) }
        for (account, balance) in accounts where balance != ofAccount[account, default: 0] {
            violations.append("account \(account) has \(balance), its lines \(ofAccount[account, default: 0])")
        }
        let ofEntry = Dictionary(grouping: lines, by: \.entry)
        for (key, entry) in entries where entry.parts == 1 {
            let amounts = ofEntry[key, default: []].map(\.amount)
            if amounts.count != 2 || amounts.reduce(0, +) != 0 {
                violations.append("\(entry.step) has the lines \(amounts)")
            }
        }
        for key in ofEntry.keys where entries[key] == nil { violations.append("a line without an entry") }
        return violations
    }

    /// The rows, the mark and the insertions that a step has, if the last one of its writer is done.
    private static func result(of number: Int, last: Int) -> (rows: Int, mark: Int, inserted: Int) {
        switch number % 10 {
        case 0:
            (
                number + 6 <= last ? 0 : SharedWriter.batch, number + 3 <= last ? number + 3 : 0, SharedWriter.batch
            )
        case 3, 6: (0, 0, 0)
        case 4: (number + 4 <= last ? 0 : 1, 0, 3)
        default: (1, 0, 3)
        }
    }
}
