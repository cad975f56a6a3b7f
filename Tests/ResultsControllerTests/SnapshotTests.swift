import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph

@Suite("Snapshots")
struct SnapshotTests {
    // "If the snapshot method (didChangeContentWith snapshot) exists, only it is called."
    @Test("A delegate with the snapshot method receives one at the fetch and at each change, and no other call")
    func onlySnapshots() throws {
        for inSections in [false, true] {
            let stack = try ResultsStack()
            try stack.context.performAndWait {
                for (text, priority) in [("a", 1), ("c", 1), ("e", 2)] { stack.task(text, priority: priority) }
                try stack.context.save()
                let controller = stack.controller(
                    sort: inSections ? ["priority", "text"] : ["text"],
                    sections: inSections ? "priority" : nil
                )
                let recorder = SnapshotRecorder()
                controller.delegate = recorder
                try controller.performFetch()
                expectEqual(recorder.snapshots.count, 1)
                controller.object(at: IndexPath(row: 0, section: 0)).setValue("new", forKey: "note")
                let task = stack.task("b", priority: 1)
                try stack.context.obtainPermanentIDs(for: [task])
                stack.context.processPendingChanges()
                expectEqual(recorder.snapshots.count, 2)
                let last = try #require(recorder.snapshots.last)
                let ids = (controller.fetchedObjects ?? []).map(\.objectID)
                expectEqual(last.itemIdentifiers as? [NSManagedObjectID], ids)
                expectEqual(last.sectionIdentifiers as? [String], (inSections ? ["1", "2"] : [""]))
                expectEqual(last.reloadedItemIdentifiers as? [NSManagedObjectID], [ids[0]])
                expectEqual(last.numberOfItems, 4)
                expectEqual(last.index(ofItemIdentifier: task.objectID), 1)
                try stack.context.save()
                expectEqual(recorder.snapshots.count, 2)
                #expect(recorder.others.isEmpty)
            }
        }
    }

    @Test("After new objects are saved, a snapshot has their permanent IDs")
    func permanentIdentifiers() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            stack.task("a")
            let controller = stack.controller()
            let recorder = SnapshotRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            stack.task("b")
            stack.context.processPendingChanges()
            let before = try #require(recorder.snapshots.last?.itemIdentifiers as? [NSManagedObjectID])
            expectEqual(before.map(\.isTemporaryID), [true, true])
            try stack.context.save()
            expectEqual(recorder.snapshots.count, 3)
            let after = try #require(recorder.snapshots.last?.itemIdentifiers as? [NSManagedObjectID])
            expectEqual(after.map(\.isTemporaryID), [false, false])
            expectEqual(after, (controller.fetchedObjects ?? []).map(\.objectID))
            #expect(recorder.others.isEmpty)
        }
    }

    @Test("A snapshot does not change, even if it is first read after later changes")
    func moment() throws {
        let stack = try ResultsStack()
        try stack.context.performAndWait {
            try stack.saveTasks(1000, digits: 4)
            let controller = stack.controller()
            let recorder = SnapshotRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            let ids = (controller.fetchedObjects ?? []).map(\.objectID)
            stack.context.delete(controller.object(at: IndexPath(row: 500, section: 0)))
            stack.context.processPendingChanges()
            expectEqual(
                recorder.snapshots.map(\.isMade),
                [true, true],
                "a snapshot that is kept must not read the list"
            )
            expectEqual(recorder.wereMade, [false, false], "a snapshot that is not read is not made")
            expectEqual(recorder.snapshots[0].itemIdentifiers as? [NSManagedObjectID], ids)
            expectEqual(recorder.snapshots[1].numberOfItems, 999)
            expectEqual(recorder.snapshots[1].index(ofItemIdentifier: ids[500]), NSNotFound)
        }
    }

    @Test("All editing methods of a snapshot work")
    func editing() {
        let snapshot = NSDiffableDataSourceSnapshotReference()
        func picture() -> String {
            (snapshot.sectionIdentifiers as? [String] ?? []).map { section in
                let items = snapshot.itemIdentifiersInSection(withIdentifier: section) as? [Int] ?? []
                return "\(section):" + items.map(String.init).joined(separator: ",")
            }
            .joined(separator: " ")
        }
        snapshot.appendSections(withIdentifiers: ["B", "D"])
        snapshot.insertSections(withIdentifiers: ["A"], beforeSectionWithIdentifier: "B")
        snapshot.insertSections(withIdentifiers: ["C"], afterSectionWithIdentifier: "B")
        expectEqual(snapshot.sectionIdentifiers as? [String], ["A", "B", "C", "D"])
        snapshot.appendItems(withIdentifiers: [9])
        snapshot.appendItems(withIdentifiers: [1, 4], intoSectionWithIdentifier: "A")
        snapshot.insertItems(withIdentifiers: [2, 3], afterItemWithIdentifier: 1)
        snapshot.insertItems(withIdentifiers: [0], beforeItemWithIdentifier: 1)
        expectEqual(picture(), "A:0,1,2,3,4 B: C: D:9")
        snapshot.moveItem(withIdentifier: 4, beforeItemWithIdentifier: 9)
        snapshot.moveItem(withIdentifier: 0, afterItemWithIdentifier: 9)
        snapshot.deleteItems(withIdentifiers: [2, 77])
        expectEqual(picture(), "A:1,3 B: C: D:4,9,0")
        expectEqual(snapshot.numberOfItems, 5)
        expectEqual(snapshot.numberOfSections, 4)
        expectEqual(snapshot.numberOfItems(inSection: "D"), 3)
        expectEqual(snapshot.index(ofItemIdentifier: 9), 3)
        expectEqual(snapshot.index(ofItemIdentifier: 2), NSNotFound)
        expectEqual(snapshot.index(ofSectionIdentifier: "C"), 2)
        expectEqual(snapshot.index(ofSectionIdentifier: "X"), NSNotFound)
        expectEqual(snapshot.sectionIdentifierForSection(containingItemIdentifier: 0) as? String, "D")
        expectNil(snapshot.sectionIdentifierForSection(containingItemIdentifier: 2))
        snapshot.reloadItems(withIdentifiers: [9, 1])
        snapshot.reconfigureItems(withIdentifiers: [3])
        snapshot.reloadSections(withIdentifiers: ["C", "D"])
        expectEqual(snapshot.reloadedItemIdentifiers as? [Int], [9, 1])
        expectEqual(snapshot.reconfiguredItemIdentifiers as? [Int], [3])
        expectEqual(snapshot.reloadedSectionIdentifiers as? [String], ["C", "D"])
        snapshot.moveSection(withIdentifier: "D", beforeSectionWithIdentifier: "B")
        snapshot.moveSection(withIdentifier: "A", afterSectionWithIdentifier: "C")
        expectEqual(picture(), "D:4,9,0 B: C: A:1,3")
        snapshot.deleteSections(withIdentifiers: ["D"])
        expectEqual(snapshot.itemIdentifiers as? [Int], [1, 3])
        expectEqual(snapshot.reloadedItemIdentifiers as? [Int], [1])
        expectEqual(snapshot.reloadedSectionIdentifiers as? [String], ["C"])
        snapshot.deleteAllItems()
        #expect(snapshot.reloadedItemIdentifiers.isEmpty && snapshot.reloadedSectionIdentifiers.isEmpty)
        expectEqual(snapshot.numberOfSections, 0)
        #expect(snapshot.itemIdentifiers.isEmpty)
    }
}
