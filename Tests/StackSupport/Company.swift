// Departments with employees, their desks, projects and ordered papers, for tests of the cost of faults.
import Foundation
import ManagedGraph
import Testing

/// A store of departments, and contexts that have read nothing yet.
final class Company {
    let stack: Stack

    static func model() -> NSManagedObjectModel {
        RelationsModel.make(
            (.many("Department.staff"), .one("Employee.department")),
            (.many("Employee.projects"), .many("Project.people")),
            (.many("Employee.papers", ordered: true), .one("Paper.owner")),
            (.one("Employee.desk"), .one("Desk.user"))
        )
    }

    /// Every employee has a desk, two ordered papers and two of the ten projects.
    init(departments: Int, employees: Int) throws {
        stack = try Stack(model: Self.model())
        let context = stack.context
        try context.run { () throws in
            let projects = try (0..<10).map { try context.make("Project", "project \($0)") }
            for number in 0..<departments {
                let department = try context.make("Department", Self.name(number))
                for place in 0..<employees {
                    let name = "\(Self.name(number))-\(place)"
                    let employee = try context.make("Employee", name)
                    employee.relate("department", [department])
                    employee.relate("desk", [try context.make("Desk", "desk of \(name)")])
                    employee.relate("projects", [projects[place % 10], projects[(number + 5) % 10]])
                    employee.relate(
                        "papers",
                        [try context.make("Paper", "b\(place)"), try context.make("Paper", "a\(place)")]
                    )
                }
            }
            try context.save()
            context.reset()
        }
    }

    static func name(_ number: Int) -> String { String(format: "%04d", number) }

    func context(_ policy: NSManagedObjectContext.FaultingPolicy) -> NSManagedObjectContext {
        let context = stack.otherContext()
        context.faultingPolicy = policy
        return context
    }

    static func request(_ entity: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    /// The number of reads, without the start and end of transactions: `body` runs in one turn.
    func reads(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws -> Int {
        let before = context.statistics.fetches
        try body()
        return context.statistics.fetches - before
    }
}

extension NSManagedObject {
    func members(_ key: String) -> [NSManagedObject] {
        switch value(forKey: key) {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    func destination(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
}
