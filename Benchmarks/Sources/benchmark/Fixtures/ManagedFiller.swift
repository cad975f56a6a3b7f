// Fills the files that ManagedGraph reads. Called by Fixtures.
import Foundation
import ManagedGraph

/// Fills files through managed objects.
enum ManagedFiller {
    static func fill(_ file: URL, _ dataset: Dataset, _ rows: Int) throws {
        let store = try ManagedStore(file, synchronous: "OFF")
        let context = store.context()
        switch dataset {
        case .entries:
            try insert(rows, Entry.self, context) { $0.set(InputRow($1)) }
        case .items:
            try insert(rows, Item.self, context) { $0.set(ItemRow($1)) }
        case .people, .longTexts:
            try insert(rows, Person.self, context) { person, index in
                let row = PersonRow(index, hasLongName: dataset == .longTexts)
                person.name = row.name
                person.group = row.group
                person.number = row.number
            }
        case .employees:
            try context.performAndWait {
                for first in stride(from: 0, to: rows, by: EmployeeRow.perDepartment) {
                    insertDepartment(of: first..<min(rows, first + EmployeeRow.perDepartment), into: context)
                    if first % 10_000 == 0 {
                        try context.save()
                        context.reset()
                    }
                }
                try context.save()
            }
        case .articles:
            try insert(max(1, rows / 100), Article.self, context) { $0.number = Int64($1) }
            try insert(max(1, rows / 100), Tag.self, context) { $0.number = Int64($1) }
        }
        try store.close()
        try setIdentifier(file)
    }

    /// Gives the file the same identifier in every run.
    ///
    /// The identifier affects the hashes of object IDs; different collisions in sets would change instruction counts by
    /// some percent.
    private static func setIdentifier(_ file: URL) throws {
        let database = try CDatabase(file)
        try database.execute("UPDATE Z_METADATA SET Z_UUID = '5B0B8C1E-6C0F-4C57-9A7C-2F1E0C9D7A31'")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static func insertDepartment(of indexes: Range<Int>, into context: NSManagedObjectContext) {
        let department = Department(context: context)
        let number = indexes.lowerBound / EmployeeRow.perDepartment
        department.number = Int64(number)
        department.title = "department \(number)"
        for index in indexes {
            let row = EmployeeRow(index)
            let employee = Employee(context: context)
            employee.name = row.name
            employee.number = row.number
            employee.salary = row.salary
            employee.department = department
        }
    }

    private static func insert<Object: NSManagedObject>(
        _ rows: Int,
        _ type: Object.Type,
        _ context: NSManagedObjectContext,
        _ set: @escaping (Object, Int) -> Void
    ) throws {
        var next = 0
        let request = NSBatchInsertRequest(
            entity: type.entity(),
            managedObjectHandler: { object in
                guard next < rows, let object = object as? Object else { return true }
                set(object, next)
                next += 1
                return false
            }
        )
        _ = try context.performAndWait { try context.execute(request) }
        guard next == rows else { throw BenchmarkError("A batch insertion made \(next) of \(rows) objects.") }
    }
}
