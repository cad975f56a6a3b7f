// The item of the C entrants, as a typed object.
import Foundation

/// A row of the item table.
final class CItem {
    static let insert = "INSERT INTO item (key, text, amount) VALUES (?, ?, ?)"
    static let select = "SELECT id, key, text, amount FROM item"

    let id: Int64
    let key: Int64
    let text: String
    var amount: Double

    init(_ row: ItemRow) {
        id = 0
        key = row.key
        text = row.text
        amount = row.amount
    }

    @inline(__always)
    init(_ statement: CStatement) {
        id = statement.int(0)
        key = statement.int(1)
        text = statement.text(2)
        amount = statement.double(3)
    }

    @inline(__always)
    func write(to statement: CStatement) throws {
        _ = try statement.with(2, text) {
            statement.bind(1, key)
            statement.bind(3, amount)
            return try statement.step()
        }
        statement.reset()
    }
}
