// All notifications that a context posts, by operation: names in order, entries and their numbers of objects.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct NotificationTable {
    @Test func eachOperationPostsTheseNotifications() throws {
        let stack = try Stack()
        let context = stack.otherContext()
        let journal = NotificationJournal(context)
        var table: [(operation: String, posted: String)] = []
        func note(_ operation: String) { table.append((operation, journal.take())) }
        let elsewhere = stack.context
        let saves = NotificationListener(.NSManagedObjectContextDidSave, of: elsewhere, keepsLast: true)
        try context.performAndWait { () throws in
            let task = context.task("a")
            note("insert")
            context.processPendingChanges()
            note("end of event")
            _ = try context.tasks()
            note("fetch")
            let second = context.task("b")
            _ = try context.tasks()
            note("insert and fetch")
            try context.save()
            note("save")
            try context.save()
            note("save without changes")
            task.text = "c"
            context.delete(second)
            try context.save()
            note("change, delete and save")
            let never = context.task("x")
            context.delete(never)
            context.processPendingChanges()
            note("insert and delete")
            task.text = "d"
            context.rollback()
            note("change and roll back")
            context.refresh(task, mergeChanges: false)
            context.processPendingChanges()
            note("refresh without changes")
            context.refresh(task, mergeChanges: true)
            context.processPendingChanges()
            note("refresh with changes")
            context.refreshAllObjects()
            context.processPendingChanges()
            note("refresh all")
            expectEqual(task.text, "c")
            try elsewhere.performAndWait { () throws in
                try #require(elsewhere.existingObject(with: task.objectID) as? TestTask).text = "e"
                _ = elsewhere.task("f")
                try elsewhere.save()
            }
            context.mergeChanges(fromContextDidSave: try #require(saves.last))
            note("merge an update and an insertion")
            try elsewhere.performAndWait { () throws in
                elsewhere.delete(elsewhere.object(with: task.objectID))
                try elsewhere.save()
            }
            context.mergeChanges(fromContextDidSave: try #require(saves.last))
            note("merge a deletion")
            try context.save()
            note("save the merged deletion")
            _ = try #require(try context.tasks().first).text
            context.reset()
            note("reset")
        }
        let expected = [
            ("insert", ""),
            ("end of event", "didChange inserted 1"),
            ("fetch", ""),
            ("insert and fetch", ""),
            ("save", "didChange inserted 1; willSave; didSave inserted 2; didSaveIDs inserted_objectIDs 2"),
            ("save without changes", "willSave; didSave; didSaveIDs"),
            (
                "change, delete and save",
                "didChange deleted 1 updated 1; willSave; didSave deleted 1 updated 1; "
                    + "didSaveIDs deleted_objectIDs 1 updated_objectIDs 1"
            ),
            ("insert and delete", "didChange deleted 1"),
            ("change and roll back", "didChange updated 1; didChange updated 1"),
            ("refresh without changes", "didChange refreshed 1"),
            ("refresh with changes", "didChange refreshed 1"),
            ("refresh all", "didChange refreshed 1"),
            (
                "merge an update and an insertion",
                "didChange NSObjectsChangedByMergeChangesKey 2 inserted 1 refreshed 1; "
                    + "didMergeIDs inserted_objectIDs 1 refreshed_objectIDs 1 updated_objectIDs 1"
            ),
            (
                "merge a deletion",
                "didChange NSObjectsChangedByMergeChangesKey 1 deleted 1; didMergeIDs deleted_objectIDs 1"
            ),
            ("save the merged deletion", "willSave; didSave deleted 1; didSaveIDs deleted_objectIDs 1"),
            ("reset", "didChange invalidatedAll 1"),
        ]
        for index in 0..<max(table.count, expected.count) {
            let actualRow = index < table.count ? "\(table[index].operation): \(table[index].posted)" : "nothing"
            let expectedRow = index < expected.count ? "\(expected[index].0): \(expected[index].1)" : "nothing"
            expectEqual(actualRow, expectedRow)
        }
    }
}
