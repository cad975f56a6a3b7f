// walk-to-one: reads all employees, then a value of each one's department. Without prefetching, each department is read
// on first access; with it, one query reads all.
import GRDB
import ManagedGraph

enum WalkToOne {
    static var cases: [BenchmarkCase] {
        [makeCase("walk-to-one", prefetches: false), makeCase("walk-to-one-prefetched", prefetches: true)]
    }

    private static func makeCase(_ name: String, prefetches: Bool) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(1.5)],
            sizes: [100_000],
            entrants: [
                Entrant(SubjectName.cAPI) { try prefetches ? cPrefetched($0) : c($0) },
                Entrant(SubjectName.grdbRow) { try prefetches ? grdbJoined($0) : grdb($0) },
                Entrant(SubjectName.managedGraph) { try managed($0, prefetches: prefetches) },
            ]
        )
    }

    private static func employees(_ database: CDatabase) throws -> [CEmployee] {
        let statement = try database.prepare(CEmployee.select)
        var employees: [CEmployee] = []
        while try statement.step() { employees.append(CEmployee(statement)) }
        return employees
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.employees), .employees)
        let one = try database.prepare(CDepartment.select + " WHERE id = ?")
        return {
            var checksum = Checksum()
            var departments: [Int64: CDepartment] = [:]
            try database.reading {
                for employee in try employees(database) {
                    let department: CDepartment
                    if let cached = departments[employee.departmentID] {
                        department = cached
                    } else {
                        one.bind(1, employee.departmentID)
                        guard try one.step() else { throw BenchmarkError("A department is missing.") }
                        department = CDepartment(one)
                        one.reset()
                        departments[department.id] = department
                    }
                    employee.department = department
                    checksum.add(department.title, employee.salary)
                }
            }
            return Outcome(checksum)
        }
    }

    private static func cPrefetched(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.employees), .employees)
        let all = try database.prepare(CDepartment.select)
        return {
            var checksum = Checksum()
            var departments: [Int64: CDepartment] = [:]
            while try all.step() {
                let department = CDepartment(all)
                departments[department.id] = department
            }
            for employee in try employees(database) {
                guard let department = departments[employee.departmentID] else {
                    throw BenchmarkError("A department is missing.")
                }
                employee.department = department
                checksum.add(department.title, employee.salary)
            }
            return Outcome(checksum)
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.employees), .employees)
        return {
            var checksum = Checksum()
            var departments: [Int64: DepartmentRecord] = [:]
            try queue.read { database in
                for employee in try EmployeeRecord.fetchAll(database) {
                    let cached = departments[employee.departmentID]
                    let department = try cached ?? DepartmentRecord.find(database, key: employee.departmentID)
                    departments[employee.departmentID] = department
                    checksum.add(department.title, employee.salary)
                }
            }
            return Outcome(checksum)
        }
    }

    private struct EmployeeInfo: FetchableRecord {
        var employee: EmployeeRecord
        var department: DepartmentRecord

        init(row: Row) {
            employee = EmployeeRecord(row: row)
            department = row["department"]
        }
    }

    private static func grdbJoined(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.employees), .employees)
        return {
            var checksum = Checksum()
            let request = EmployeeRecord.including(required: EmployeeRecord.department)
            for info in try queue.read({ try request.asRequest(of: EmployeeInfo.self).fetchAll($0) }) {
                checksum.add(info.department.title, info.employee.salary)
            }
            return Outcome(checksum)
        }
    }

    private static func managed(_ setting: Setting, prefetches: Bool) throws -> Work {
        let store = try setting.store(setting.managed(.employees))
        return {
            let context = store.context()
            let request: NSFetchRequest<Employee> = Employee.fetchRequest()
            if prefetches { request.relationshipKeyPathsForPrefetching = ["department"] }
            return try context.performAndWait {
                var checksum = Checksum()
                for employee in try context.fetch(request) {
                    guard let title = employee.department?.title else {
                        throw BenchmarkError("A department is missing.")
                    }
                    checksum.add(title, employee.salary)
                }
                return Outcome(checksum)
            }
        }
    }
}
