// The number of statements of deletions: it depends on the relationships, not on the number of objects.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct DeletionCosts {
    private static func model() -> NSManagedObjectModel {
        RelationsModel.make(
            (.many("Department.employees", .cascadeDeleteRule), .one("Employee.department")),
            (.one("Employee.badge", .cascadeDeleteRule), .one("Badge.owner")),
            (.many("Employee.skills"), .many("Skill.people")),
            (.one("Employee.desk"), .many("Desk.users"))
        )
    }

    /// A store with departments of five employees each; every employee has a badge, a skill and a desk.
    private static func filled(departments: Int) throws -> Stack {
        let stack = try Stack(model: model())
        let context = stack.context
        try context.run { () throws in
            for number in 0..<departments {
                let department = try context.make("Department", "d\(number)")
                let desk = try context.make("Desk", "k\(number)")
                let skill = try context.make("Skill", "s\(number)")
                for member in 0..<5 {
                    let employee = try context.make("Employee", "e\(number)-\(member)")
                    employee.relate("department", [department])
                    employee.relate("desk", [desk])
                    employee.relate("skills", [skill])
                    employee.relate("badge", [try context.make("Badge", "b\(number)-\(member)")])
                }
            }
            try context.save()
        }
        return stack
    }

    private static func deleteAll(_ stack: Stack, in context: NSManagedObjectContext) throws -> Int {
        try context.run { () throws in
            let departments = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
            return try stack.statements {
                for department in departments { context.delete(department) }
                try context.save()
            }
        }
    }

    private static func counts(_ stack: Stack) throws -> [Int] {
        let other = stack.otherContext()
        return try other.run { () throws in
            try ["Department", "Employee", "Badge", "Skill", "Desk"].map {
                try other.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
            }
        }
    }

    @Test func aCascadeRunsAsManyStatementsForAHundredDepartmentsAsForTwenty() throws {
        let statements = try [20, 100].map { departments in
            let stack = try Self.filled(departments: departments)
            let statements = try Self.deleteAll(stack, in: stack.otherContext())
            try expectEqual(Self.counts(stack), [0, 0, 0, departments, departments])
            // One skill and one desk of each department remain, with new versions, because their members were deleted.
            return statements - 2 * departments
        }
        // A hundred departments need a second portion of rows.
        #expect(statements[1] <= statements[0] + 2 && statements[1] <= 16, "\(statements)")
    }

    @Test func aCascadeInAChildReadsTheObjectsOfALevelTogether() throws {
        let stack = try Self.filled(departments: 50)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.otherContext()
        let statements = try Self.deleteAll(stack, in: child)
        #expect(statements <= 30, "\(statements)")
        let parent = try #require(child.parent)
        try parent.run { () throws in try parent.save() }
        try expectEqual(Self.counts(stack), [0, 0, 0, 50, 50])
    }

    @Test func objectsThatDenyADeletionAreReadTogether() throws {
        let stack = try Stack(
            model: RelationsModel.make((.many("List.items", .denyDeleteRule), .one("Item.list", .denyDeleteRule)))
        )
        try stack.context.run { () throws in
            for number in 0..<100 {
                let list = try stack.context.make("List", "\(number)")
                for _ in 0..<3 { try stack.context.make("Item", "i").relate("list", [list]) }
            }
            try stack.context.save()
        }
        for entity in ["List", "Item"] {
            let context = stack.otherContext()
            try context.run { () throws in
                let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                let statements = stack.statements {
                    for object in objects { context.delete(object) }
                    let error = #expect(throws: NSError.self) { try context.save() }
                    let errors = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
                    expectEqual(errors?.count, objects.count)
                    expectEqual(errors?.allSatisfy { $0.code == 1600 }, true)
                }
                #expect(statements <= 6, "\(entity): \(statements)")
            }
        }
    }

    @Test func rowsOfOneVersionAreDeletedTogether() throws {
        let stack = try Stack()
        try stack.fill(places: 1, tasks: 1_000)
        let context = stack.otherContext()
        try context.run { () throws in
            for task in try context.tasks() { context.delete(task) }
            context.processPendingChanges()
            let statements = try stack.statements { try context.save() }
            #expect(statements <= 8, "\(statements)")
        }
        let other = stack.otherContext()
        try other.run { () throws in #expect(try other.tasks().isEmpty) }
    }

    @Test(arguments: [(changed: [417], gone: []), ([], [3]), ([0, 999], [1, 500])])
    func conflictsAmongRowsDeletedTogetherAreNamed(_ elsewhere: (changed: [Int], gone: [Int])) throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for number in 0..<1_000 { _ = stack.context.task("\(number)") }
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            for task in try context.tasks() { context.delete(task) }
            context.processPendingChanges()
            let other = stack.otherContext()
            try other.run { () throws in
                let tasks = Dictionary(uniqueKeysWithValues: try other.tasks().map { ($0.text ?? "", $0) })
                for number in elsewhere.changed { tasks["\(number)"]?.priority = 9 }
                for number in elsewhere.gone { tasks["\(number)"].map(other.delete) }
                try other.save()
            }
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict] ?? []
            let conflictTexts = conflicts.compactMap { ($0.sourceObject as? TestTask)?.text }
            expectEqual(Set(conflictTexts), Set((elsewhere.changed + elsewhere.gone).map(String.init)))
            try expectEqual(count(stack), 1_000 - elsewhere.gone.count)
            context.mergePolicy = NSMergePolicy.overwrite
            try context.save()
            try expectEqual(count(stack), 0)
        }
    }

    private func count(_ stack: Stack) throws -> Int {
        let other = stack.otherContext()
        return try other.run { () throws in try other.tasks().count }
    }
}
