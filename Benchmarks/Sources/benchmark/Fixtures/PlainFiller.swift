// Fills the files that the C API and GRDB share. Called by Fixtures.
import Foundation

/// Fills files through the C API.
enum PlainFiller {
    static func fill(_ file: URL, _ dataset: Dataset, _ rows: Int) throws {
        let database = try CDatabase(file, synchronous: "OFF")
        try database.execute(dataset.schema)
        try database.transaction {
            switch dataset {
            case .entries:
                let statement = try database.prepare(CEntry.insert)
                for index in 0..<rows { try CEntry(InputRow(index)).write(to: statement) }
            case .items:
                let statement = try database.prepare(CItem.insert)
                for index in 0..<rows { try CItem(ItemRow(index)).write(to: statement) }
            case .people, .longTexts:
                let statement = try database.prepare("INSERT INTO person (name, \"group\", number) VALUES (?, ?, ?)")
                for index in 0..<rows {
                    let row = PersonRow(index, hasLongName: dataset == .longTexts)
                    try statement.run {
                        statement.bind(1, copying: row.name)
                        statement.bind(2, copying: row.group)
                        statement.bind(3, row.number)
                    }
                }
            case .employees: try fillEmployees(database, rows)
            case .articles:
                for table in ["article", "tag"] {
                    let statement = try database.prepare("INSERT INTO \(table) (number) VALUES (?)")
                    for index in 0..<max(1, rows / 100) { try statement.run { statement.bind(1, Int64(index)) } }
                }
            }
        }
    }

    private static func fillEmployees(_ database: CDatabase, _ rows: Int) throws {
        let department = try database.prepare("INSERT INTO department (title, number) VALUES (?, ?)")
        let employee = try database.prepare(
            "INSERT INTO employee (name, number, salary, departmentId) VALUES (?, ?, ?, ?)"
        )
        for index in 0..<rows {
            let row = EmployeeRow(index)
            if index % EmployeeRow.perDepartment == 0 {
                try department.run {
                    department.bind(1, copying: "department \(row.department)")
                    department.bind(2, Int64(row.department))
                }
            }
            try employee.run {
                employee.bind(1, copying: row.name)
                employee.bind(2, row.number)
                employee.bind(3, row.salary)
                employee.bind(4, Int64(row.department) + 1)
            }
        }
    }
}
