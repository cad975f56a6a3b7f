// cascade: deletes previously fetched departments and, with them, their employees.
import GRDB
import ManagedGraph

enum Cascade {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "cascade",
                goals: [.ratio(2.5)],
                sizes: [100_000],
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            )
        ]
    }

    private static let plain = "SELECT count(*) + (SELECT count(*) FROM department), 0 FROM employee"
    private static let managedSum = "SELECT count(*) + (SELECT count(*) FROM ZDEPARTMENT), 0 FROM ZEMPLOYEE"

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.copy(setting.plain(.employees)), .employees)
        let statement = try database.prepare(CDepartment.select)
        var departments: [CDepartment] = []
        while try statement.step() { departments.append(CDepartment(statement)) }
        return { [departments] in
            try database.transaction {
                let employees = try database.prepare("DELETE FROM employee WHERE departmentId = ?")
                let department = try database.prepare("DELETE FROM department WHERE id = ?")
                for each in departments {
                    try employees.run { employees.bind(1, each.id) }
                    try department.run { department.bind(1, each.id) }
                }
            }
            return Outcome { try database.checksum(plain) }
        }
    }

    /// The foreign key deletes the employees.
    private static func grdb(_ setting: Setting) throws -> Work {
        let file = try setting.copy(setting.plain(.employees))
        let queue = try setting.grdb(file, .employees)
        let departments = try queue.read { try DepartmentRecord.fetchAll($0) }
        return {
            try queue.write { database in
                for department in departments { try department.delete(database) }
            }
            return Outcome { try CDatabase(file).checksum(plain) }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.copy(setting.managed(.employees)))
        let context = store.context()
        let departments = try context.performAndWait { try context.fetch(Department.fetchRequest()) }
        return {
            try context.performAndWait {
                for department in departments { context.delete(department) }
                try context.save()
            }
            return Outcome { try store.checksum(managedSum) }
        }
    }
}
