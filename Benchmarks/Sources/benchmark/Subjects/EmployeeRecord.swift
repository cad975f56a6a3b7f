// GRDB's handwritten record of employees.
import GRDB

/// A record of the employee table.
struct EmployeeRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "employee"
    static let department = belongsTo(DepartmentRecord.self)

    var id: Int64
    var name: String
    var number: Int64
    var salary: Double
    var departmentID: Int64

    init(row: Row) {
        id = row["id"]
        name = row["name"]
        number = row["number"]
        salary = row["salary"]
        departmentID = row["departmentId"]
    }
}
