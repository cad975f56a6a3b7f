// The employee of the C entrants, as a typed object.
import Foundation

/// A row of the employee table.
final class CEmployee {
    static let select = "SELECT id, name, number, salary, departmentId FROM employee"

    let id: Int64
    let name: String
    let number: Int64
    let salary: Double
    let departmentID: Int64
    var department: CDepartment?

    @inline(__always)
    init(_ statement: CStatement) {
        id = statement.int(0)
        name = statement.text(1)
        number = statement.int(2)
        salary = statement.double(3)
        departmentID = statement.int(4)
    }
}
