// Unique values that objects exchange within one save.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct UniqueValuesThatChangeHands {
    private func stack(_ constraint: [[String]] = [["text"]]) throws -> Stack {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = constraint
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            for (number, text) in ["a", "b", "c", "d"].enumerated() {
                _ = stack.context.task(text, priority: Int16(number))
            }
            try stack.context.save()
        }
        return stack
    }

    private func byText(_ context: NSManagedObjectContext) throws -> [TestTask] { try context.tasks() }

    @Test(arguments: [2, 3, 4]) func valuesThatGoAroundAreSaved(count: Int) throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let tasks = try byText(stack.context)
            let values = tasks.prefix(count).map(\.text)
            for (place, task) in tasks.prefix(count).enumerated() { task.text = values[(place + 1) % count] }
            try stack.context.save()
            #expect(!stack.context.hasChanges)
            expectEqual(tasks.prefix(count).map(\.text), Array(values[1...]) + [values[0]])
            // The objects have their rows' versions, so the next save has no conflict.
            for task in tasks { task.priority += 1 }
            try stack.context.save()
        }
        let rows = try stack.rows("SELECT ZTEXT FROM ZTASK ORDER BY Z_PK")
        let all = ["a", "b", "c", "d"]
        let expected = Array(all[1..<count]) + [all[0]] + Array(all[count...])
        expectEqual(rows, expected.map { [.text($0)] })
    }

    @Test func valuesOfDeletedObjectsGoToNewAndToChangedOnes() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let tasks = try byText(stack.context)
            // a is deleted and b takes its value; a new object takes b's; c and d exchange theirs.
            stack.context.delete(tasks[0])
            tasks[1].text = "a"
            _ = stack.context.task("b", priority: 7)
            (tasks[2].text, tasks[3].text) = ("d", "c")
            try stack.context.save()
        }
        let rows = try stack.rows("SELECT ZTEXT, ZPRIORITY FROM ZTASK ORDER BY ZTEXT")
        expectEqual(
            rows,
            [
                [.text("a"), .integer(1)], [.text("b"), .integer(7)], [.text("c"), .integer(3)],
                [.text("d"), .integer(2)],
            ]
        )
    }

    @Test func constraintsOfSeveralAttributesAreGivenUpTogether() throws {
        let stack = try stack([["text", "weight"]])
        try stack.context.run { () throws in
            let tasks = try byText(stack.context)
            for (place, task) in tasks.enumerated() { task.weight = Double(place) }
            try stack.context.save()
            for task in [tasks[0], tasks[1]] {
                task.text = task === tasks[0] ? "b" : "a"
                task.weight = 1 - task.weight
            }
            try stack.context.save()
        }
        let rows = try stack.rows("SELECT ZTEXT, ZWEIGHT FROM ZTASK ORDER BY Z_PK LIMIT 2")
        expectEqual(rows, [[.text("b"), .real(1)], [.text("a"), .real(0)]])
    }

    @Test func aRealConflictBesideAnExchangeIsStillOne() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let tasks = try byText(stack.context)
            (tasks[0].text, tasks[1].text) = ("b", "a")
            let new = stack.context.task("c")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            expectEqual(conflicts?.count, 1)
            expectEqual(conflicts?.first?.conflictingObjects, [new])
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try stack.context.save()
            try expectEqual(byText(stack.context).map(\.text), ["a", "b", "c", "d"])
            #expect(tasks[0].text == "b" && tasks[1].text == "a")
        }
    }

    @Test func anExchangeInAChildIsSavedByItsParent() throws {
        let stack = try stack()
        let child = stack.context.makeChild()
        try child.run { () throws in
            let tasks = try byText(child)
            (tasks[0].text, tasks[1].text) = ("b", "a")
            try child.save()
        }
        try stack.context.run { () throws in try stack.context.save() }
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK ORDER BY Z_PK LIMIT 2"), [[.text("b")], [.text("a")]])
    }

    @Test func aSaveWithoutAnExchangeWritesEachRowOnce() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let tasks = try byText(stack.context)
            for task in tasks { task.text = "\(task.text ?? "")2" }
            let before = stack.coordinator.statistics
            try stack.context.save()
            let done = stack.coordinator.statistics - before
            expectEqual(done.rowsWritten, 4)
            expectEqual(done.transactions, 1)
        }
    }
}
