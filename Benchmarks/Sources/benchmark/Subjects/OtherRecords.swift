// GRDB's handwritten records of the other tables.
import GRDB

/// A record of the item table.
struct ItemRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"

    var id: Int64?
    var key: Int64
    var text: String
    var amount: Double

    init(_ row: ItemRow) {
        key = row.key
        text = row.text
        amount = row.amount
    }

    init(row: Row) {
        id = row[0]
        key = row[1]
        text = row[2]
        amount = row[3]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["key"] = key
        container["text"] = text
        container["amount"] = amount
    }
}

/// A record of the person table.
struct PersonRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "person"

    var id: Int64
    var name: String
    var group: String
    var number: Int64

    init(row: Row) {
        id = row[0]
        name = row[1]
        group = row[2]
        number = row[3]
    }
}

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
