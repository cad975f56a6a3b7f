// Faults fetched before another context of the same coordinator saves: they show the last saved values.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

struct SavedRowsOfACoordinator {
    let stack: Stack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    init() throws {
        stack = try Stack()
        (mine, theirs) = (stack.context, stack.otherContext())
        try theirs.performAndWait { () throws in
            for number in 0..<10 { _ = theirs.task("\(number)", priority: 1) }
            try theirs.save()
        }
    }

    /// Fetches faults in one context, then makes a change in the other.
    private func faults(then change: () throws -> Void) throws -> [TestTask] {
        let tasks = try mine.performAndWait { () throws in
            let tasks = try mine.tasks()
            #expect(tasks.allSatisfy { $0.isFault })
            return tasks
        }
        try theirs.performAndWait { () throws in try change() }
        return tasks
    }

    @Test func aFaultFetchedBeforeASaveIsFilledWithTheSavedValues() throws {
        let tasks = try faults {
            try theirs.tasks()[3].text = "changed"
            try theirs.save()
        }
        try mine.performAndWait { () throws in
            expectEqual(tasks[3].text, "changed")
            tasks[3].priority = 7
            // Read after the other context's save: no conflict with the policy `error`.
            try mine.save()
        }
        let rows = try stack.rows("SELECT ZTEXT, ZPRIORITY FROM ZTASK WHERE ZPRIORITY = 7")
        expectEqual(rows, [[.text("changed"), .integer(7)]])
    }

    @Test func aFaultWhoseRowTheCoordinatorHasDeletedIsInaccessible() throws {
        let tasks = try faults {
            theirs.delete(try theirs.tasks()[3])
            try theirs.save()
        }
        mine.performAndWait {
            #expect(tasks[3].text == nil && tasks[3].isDeleted)
            expectEqual(tasks[4].text, "4")
        }
    }

    @Test func aBatchRequestCountsAsASave() throws {
        let tasks = try faults {
            let update = NSBatchUpdateRequest(entityName: "Task")
            update.predicate = NSPredicate(format: "text == '3'")
            update.propertiesToUpdate = ["priority": 9]
            _ = try theirs.execute(update)
            let delete = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
            delete.predicate = NSPredicate(format: "text == '4'")
            _ = try theirs.execute(NSBatchDeleteRequest(fetchRequest: delete))
        }
        mine.performAndWait {
            expectEqual(tasks[3].priority, 9)
            expectNil(tasks[4].text)
        }
    }

    @Test func aFaultOfAChildIsFilledWithTheSavedValuesToo() throws {
        let child = mine.makeChild()
        let parents = try faults {}
        let tasks = try child.performAndWait { () throws in try child.tasks() }
        try theirs.performAndWait { () throws in
            try theirs.tasks()[3].text = "changed"
            try theirs.save()
        }
        child.performAndWait { #expect(tasks[3].text == "changed" && tasks[2].text == "2") }
        withExtendedLifetime(parents) {}
    }

    @Test func aPinnedContextKeepsReadingItsGeneration() throws {
        try mine.performAndWait { () throws in try mine.setQueryGenerationFrom(.current) }
        let tasks = try faults {
            try theirs.tasks()[3].text = "changed"
            try theirs.save()
        }
        mine.performAndWait { expectEqual(tasks[3].text, "3") }
    }

    @Test func withoutLaterSavesFaultsAreFilledFromTheirFetch() throws {
        let tasks = try faults {}
        mine.performAndWait {
            let before = mine.statistics.fetches
            for task in tasks { _ = task.text }
            expectEqual(mine.statistics.fetches, before)
        }
    }

    @Test func faultsOfOneResultAreReadAgainTogether() throws {
        let tasks = try faults {
            for task in try theirs.tasks() { task.priority = 5 }
            try theirs.save()
        }
        mine.performAndWait {
            let before = mine.statistics.fetches
            #expect(tasks.allSatisfy { $0.priority == 5 })
            expectEqual(mine.statistics.fetches, before + 1)
        }
    }

    @Test func theRecordOfSavesIsBounded() throws {
        let rows = SavedRows()
        let readTime = Moment.now
        rows.note([SavedRow(store: 0, tree: 0, primaryKey: 1, version: 2)])
        #expect(rows.isOutdated(SavedRow(store: 0, tree: 0, primaryKey: 1), readAt: readTime))
        #expect(!rows.isOutdated(SavedRow(store: 0, tree: 0, primaryKey: 2), readAt: readTime))
        #expect(!rows.isOutdated(SavedRow(store: 0, tree: 0, primaryKey: 1), readAt: .now))
        expectEqual(rows.version(of: SavedRow(store: 0, tree: 0, primaryKey: 1)), 2)
        rows.note((0..<SavedRows.limit).map { SavedRow(store: 0, tree: 1, primaryKey: Int64($0)) })
        // The record is full: all earlier reads may be outdated, later ones are not.
        expectNil(rows.version(of: SavedRow(store: 0, tree: 0, primaryKey: 1)))
        #expect(rows.isOutdated(SavedRow(store: 0, tree: 0, primaryKey: 2), readAt: readTime))
        #expect(!rows.isOutdated(SavedRow(store: 0, tree: 0, primaryKey: 2), readAt: .now))
    }

    @Test func manySavesOfOneRowMakeNoOtherOneOutdated() {
        let rows = SavedRows()
        func row(_ primaryKey: Int64, _ version: Int64) -> SavedRow {
            SavedRow(store: 0, tree: 0, primaryKey: primaryKey, version: version)
        }
        let start = Moment.now
        let saves = Int64(SavedRows.limit * 2)
        for version in 1...saves { rows.note([row(1, version)]) }
        #expect(rows.isOutdated(row(1, 0), readAt: start) && !rows.isOutdated(row(2, 0), readAt: start))
        expectEqual(rows.version(of: row(1, 0)), saves)
    }
}
