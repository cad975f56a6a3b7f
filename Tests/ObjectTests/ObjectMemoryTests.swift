// The lifetime of objects: held by the program or, if they have changes, by the context.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct ObjectMemory {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack()
        try context.saveTask("a")
    }

    @Test(arguments: [false, true])
    func newObjectsLeaveMemoryWithARollbackOrAReset(isReset: Bool) throws {
        weak var task: TestTask?
        try context.run {
            task = context.task("new")
            context.processPendingChanges()
            if isReset { context.reset() } else { context.rollback() }
        }
        expectNil(task)
    }

    @Test func aContextThatRetainsItsObjectsKeepsNewOnesAndNotDeletedOnes() throws {
        weak var deleted: TestTask?
        weak var new: TestTask?
        try context.run { () throws in
            try { () throws in
                let first = try #require(try context.tasks().first)
                let task = context.task("new")
                context.retainsRegisteredObjects = true
                context.delete(first)
                try context.save()
                (deleted, new) = (first, task)
            }()
        }
        expectNil(deleted)
        #expect(new != nil)
    }

    @Test func changedObjectsStayUntilTheyAreSaved() throws {
        weak var task: TestTask?
        try context.run { () throws in
            try { () throws in
                let first = try #require(try context.tasks().first)
                first.text = "b"
                task = first
            }()
        }
        #expect(task != nil)
        try context.run { () throws in try context.save() }
        expectNil(task)
    }

    @Test func insertedAndDeletedObjectsStayUntilTheyAreSaved() throws {
        weak var new: TestTask?
        weak var old: TestTask?
        try context.run { () throws in
            new = { context.task("new") }()
            let match = try #require(try context.tasks("text == 'a'").first)
            context.delete(match)
            old = match
        }
        #expect(new != nil && old != nil)
        try context.run { () throws in try context.save() }
        expectNil(new)
        expectNil(old)
    }

    @Test func aContextMayRetainAllItsObjects() throws {
        weak var task: TestTask?
        try context.run { () throws in
            context.retainsRegisteredObjects = true
            task = try context.tasks().first
        }
        #expect(task != nil)
        try context.run { context.retainsRegisteredObjects = false }
        expectNil(task)
    }
}
