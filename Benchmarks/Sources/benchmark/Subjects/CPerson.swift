// The person of the C entrants, as a typed object.
import Foundation

/// A row of the person table.
final class CPerson {
    static let select = "SELECT id, name, \"group\", number FROM person"

    let id: Int64
    let name: String
    let group: String
    let number: Int64

    @inline(__always)
    init(_ statement: CStatement) {
        id = statement.int(0)
        name = statement.text(1)
        group = statement.text(2)
        number = statement.int(3)
    }
}
