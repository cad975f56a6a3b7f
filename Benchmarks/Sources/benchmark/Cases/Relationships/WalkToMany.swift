// walk-to-many: reads all departments, then the employees of each. With prefetching, one query reads all employees.
import GRDB
import ManagedGraph

enum WalkToMany {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "walk-to-many",
                goals: [.ratio(2.5)],
                sizes: [100_000],
                entrants: [
                    Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
                    Entrant(SubjectName.managedGraph) { try managed($0, prefetches: false) },
                ]
            ),
            BenchmarkCase(
                name: "walk-to-many-prefetched",
                goals: [.ratio(2)],
                sizes: [100_000],
                entrants: [
                    Entrant(SubjectName.cAPI, cPrefetched), Entrant(SubjectName.grdbRow, grdbPrefetched),
                    Entrant(SubjectName.managedGraph) { try managed($0, prefetches: true) },
                ]
            ),
        ]
    }

    private static func departments(_ database: CDatabase) throws -> [CDepartment] {
        let statement = try database.prepare(CDepartment.select)
        var departments: [CDepartment] = []
        while try statement.step() { departments.append(CDepartment(statement)) }
        return departments
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.employees), .employees)
        let statement = try database.prepare(CEmployee.select + " WHERE departmentId = ?")
        return {
            var checksum = Checksum()
            try database.reading {
                for department in try departments(database) {
                    statement.bind(1, department.id)
                    while try statement.step() { department.employees.append(CEmployee(statement)) }
                    statement.reset()
                    for employee in department.employees { checksum.add(employee.name, employee.salary) }
                }
            }
            return Outcome(checksum)
        }
    }

    private static func cPrefetched(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.employees), .employees)
        let statement = try database.prepare(CEmployee.select + " ORDER BY departmentId")
        return {
            var checksum = Checksum()
            let departments = try departments(database)
            var byID: [Int64: CDepartment] = [:]
            for department in departments { byID[department.id] = department }
            while try statement.step() {
                let employee = CEmployee(statement)
                byID[employee.departmentID]?.employees.append(employee)
            }
            for department in departments {
                for employee in department.employees { checksum.add(employee.name, employee.salary) }
            }
            return Outcome(checksum)
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.employees), .employees)
        return {
            var checksum = Checksum()
            try queue.read { database in
                for department in try DepartmentRecord.fetchAll(database) {
                    let employees = try department.request(for: DepartmentRecord.employees).fetchAll(database)
                    for employee in employees { checksum.add(employee.name, employee.salary) }
                }
            }
            return Outcome(checksum)
        }
    }

    private struct DepartmentInfo: FetchableRecord {
        var department: DepartmentRecord
        var employees: [EmployeeRecord]

        init(row: Row) throws {
            department = DepartmentRecord(row: row)
            guard let rows = row.prefetchedRows["employees"] else { throw BenchmarkError("No employees came along.") }
            employees = rows.map { EmployeeRecord(row: $0) }
        }
    }

    private static func grdbPrefetched(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.employees), .employees)
        return {
            var checksum = Checksum()
            let request = DepartmentRecord.including(all: DepartmentRecord.employees)
            for info in try queue.read({ try request.asRequest(of: DepartmentInfo.self).fetchAll($0) }) {
                for employee in info.employees { checksum.add(employee.name, employee.salary) }
            }
            return Outcome(checksum)
        }
    }

    private static func managed(_ setting: Setting, prefetches: Bool) throws -> Work {
        let store = try setting.store(setting.managed(.employees))
        return {
            let context = store.context()
            let request: NSFetchRequest<Department> = Department.fetchRequest()
            if prefetches { request.relationshipKeyPathsForPrefetching = ["employees"] }
            return try context.performAndWait {
                var checksum = Checksum()
                for department in try context.fetch(request) {
                    guard let employees = department.employees else { throw BenchmarkError("A set is missing.") }
                    for case let employee as Employee in employees {
                        guard let name = employee.name else { throw BenchmarkError("An employee has no name.") }
                        checksum.add(name, employee.salary)
                    }
                }
                return Outcome(checksum)
            }
        }
    }
}
