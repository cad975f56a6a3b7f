// GRDB's handwritten record of departments.
import GRDB

/// A record of the department table.
struct DepartmentRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "department"
    static let employees = hasMany(EmployeeRecord.self)

    var id: Int64
    var title: String
    var number: Int64

    init(row: Row) {
        id = row["id"]
        title = row["title"]
        number = row["number"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["number"] = number
    }
}
