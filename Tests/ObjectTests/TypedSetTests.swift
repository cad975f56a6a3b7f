// To-many relationships declared as Swift sets.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

extension TestLocation {
    fileprivate var taskSet: Set<TestTask> { managedValue(for: Keys.tasks) }
    fileprivate var optionalTasks: Set<TestTask>? { managedValue(for: Keys.tasks) }
    fileprivate var anyTasks: Set<NSManagedObject> { managedValue(for: Keys.tasks) }
    fileprivate var wrongTasks: Set<TestLocation>? { managedValue(for: Keys.tasks) }
}

struct TypedSets {
    @Test func membersComeAsASetOfTheirClass() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let location = TestLocation(context: stack.context)
            #expect(location.taskSet.isEmpty)
            expectEqual(location.optionalTasks?.isEmpty, true)
            let tasks = (0..<3).map { number in
                let task = TestTask(context: stack.context)
                task.text = "\(number)"
                task.location = location
                return task
            }
            expectEqual(location.taskSet, Set(tasks))
            expectEqual(location.optionalTasks, Set(tasks))
            try stack.context.save()
            stack.context.reset()
        }
        try stack.context.run { () throws in
            let location = try #require(
                try stack.context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first
            )
            expectEqual(Set(location.taskSet.compactMap(\.text)), ["0", "1", "2"])
            expectEqual(location.anyTasks, Set(location.taskSet))
            #expect(location.wrongTasks?.isEmpty != false)
        }
    }
}
