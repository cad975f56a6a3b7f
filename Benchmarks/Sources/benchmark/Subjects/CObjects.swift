// The typed objects of the C entrants. Each is a class, like a managed object, and holds its own statements.
import Foundation

/// A row of the entry table.
final class CEntry: EntryValues {
    static let insert = "INSERT INTO entry (text, priority, date, isDone, amount, number) VALUES (?, ?, ?, ?, ?, ?)"
    static let select = "SELECT id, text, priority, date, isDone, amount, number FROM entry"

    let id: Int64
    let text: String
    let priority: Int16
    let date: Date
    let isDone: Bool
    var amount: Double
    let number: Int64

    init(_ row: InputRow) {
        id = 0
        text = row.text
        priority = row.priority
        date = row.date
        isDone = row.isDone
        amount = row.amount
        number = row.number
    }

    /// Reads the current row of a statement with `select`.
    @inline(__always)
    init(_ statement: CStatement) {
        id = statement.int(0)
        text = statement.text(1)
        priority = Int16(truncatingIfNeeded: statement.int(2))
        date = Date(timeIntervalSinceReferenceDate: statement.double(3))
        isDone = statement.int(4) != 0
        amount = statement.double(5)
        number = statement.int(6)
    }

    @inline(__always)
    func write(to statement: CStatement) throws {
        _ = try statement.with(1, text) {
            statement.bind(2, Int64(priority))
            statement.bind(3, date.timeIntervalSinceReferenceDate)
            statement.bind(4, isDone ? 1 : 0 as Int64)
            statement.bind(5, amount)
            statement.bind(6, number)
            return try statement.step()
        }
        statement.reset()
    }

    static func all(_ database: CDatabase) throws -> [CEntry] {
        let statement = try database.prepare(select)
        var entries: [CEntry] = []
        while try statement.step() { entries.append(CEntry(statement)) }
        return entries
    }
}
