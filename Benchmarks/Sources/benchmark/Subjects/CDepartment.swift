// The department of the C entrants, as a typed object.
import Foundation

/// A row of the department table.
final class CDepartment {
    static let select = "SELECT id, title, number FROM department"

    let id: Int64
    let title: String
    let number: Int64
    var employees: [CEmployee] = []

    @inline(__always)
    init(_ statement: CStatement) {
        id = statement.int(0)
        title = statement.text(1)
        number = statement.int(2)
    }
}
