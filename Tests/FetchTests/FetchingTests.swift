import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct Fetching {
    private func filled() throws -> Stack {
        let stack = try Stack()
        try stack.context.run { () throws in
            for (index, text) in ["a", "b", "c", "d", "e"].enumerated() {
                _ = stack.context.task(text, priority: Int16(index % 3))
            }
            try stack.context.save()
        }
        return stack
    }

    @Test func aPredicateThatTablesCannotAnswerIsAnsweredInMemory() throws {
        let context = try filled().otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.predicate = NSPredicate { object, _ in (object as? TestTask)?.priority == 1 }
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
            try expectEqual(context.fetch(request).map(\.text), ["e", "b"])
            try expectEqual(context.count(for: request), 2)
            request.fetchOffset = 1
            try expectEqual(context.fetch(request).map(\.text), ["b"])
        }
    }

    @Test func limitAndOffsetCutTheSortedResult() throws {
        let context = try filled().otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<TestTask>(entityName: "Task")
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            request.fetchLimit = 2
            request.fetchOffset = 3
            try expectEqual(context.fetch(request).map(\.text), ["d", "e"])
            request.fetchOffset = 9
            #expect(try context.fetch(request).isEmpty)
        }
    }

    @Test func otherResultTypesAreIdentifiersDictionariesAndCounts() throws {
        let context = try filled().otherContext()
        try context.run { () throws in
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
            identifiers.resultType = .managedObjectIDResultType
            try expectEqual(context.fetch(identifiers).count, 5)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["text", "priority"]
            rows.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            let first = try #require(try context.fetch(rows).first)
            expectEqual(first["text"] as? String, "a")
            expectEqual(first["priority"] as? Int, 0)
            let count = NSFetchRequest<NSNumber>(entityName: "Task")
            count.resultType = .countResultType
            try expectEqual(context.fetch(count), [5])
        }
    }

    @Test func dictionariesOfSwiftAndOfFoundationHaveTheSameEntries() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            for number in 0..<6 {
                let task = stack.context.task("t\(number)", priority: Int16(number))
                // Other entries are missing in each row.
                if number % 2 == 0 { task.text = nil }
                let date = Date(timeIntervalSinceReferenceDate: Double(number))
                if number % 3 == 0 { task.setValue(date, forKey: "dueDate") }
                task.setValue(number == 4, forKey: "done")
            }
            try stack.context.save()
            func rows<T>(_ type: T.Type) throws -> [T] {
                let request = NSFetchRequest<T>(entityName: "Task")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["text", "priority", "dueDate", "done", "weight"]
                request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: false)]
                request.fetchLimit = 5
                return try stack.context.fetch(request)
            }
            let swift = try rows([String: Any].self)
            expectEqual(swift.map { $0["priority"] as? Int }, [5, 4, 3, 2, 1])
            expectEqual(swift.map { $0["text"] as? String }, ["t5", nil, "t3", nil, "t1"])
            let due = Date(timeIntervalSinceReferenceDate: 3)
            expectEqual(swift.map { $0["dueDate"] as? Date }, [nil, nil, due, nil, nil])
            expectEqual(swift.map { $0["done"] as? Bool }, [false, true, false, false, false])
            try expectEqual(rows(NSDictionary.self), swift.map { NSDictionary(dictionary: $0) })
            try expectEqual(swift.map(\.count), (try rows(NSDictionary.self)).map(\.count))
        }
    }

    @Test func executeRunsInTheContextOfTheBlock() throws {
        let stack = try filled()
        try stack.context.run { () throws in
            try expectEqual(NSFetchRequest<TestTask>(entityName: "Task").execute().count, 5)
        }
        let error = #expect(throws: NSError.self) { try NSFetchRequest<TestTask>(entityName: "Task").execute() }
        expectEqual(error?.code, 134060)
    }

    @Test func theWrongResultTypeIsAnErrorAndNoCrash() throws {
        let context = try filled().otherContext()
        try context.run { () throws in
            let error = #expect(throws: NSError.self) {
                try context.fetch(NSFetchRequest<TestLocation>(entityName: "Task"))
            }
            expectEqual(error?.localizedDescription.contains("TestLocation"), true)
        }
    }

    @Test func performReturnsValuesThrowsErrorsAndProcessesChanges() async throws {
        let stack = try filled()
        let context = stack.context
        let count = try await context.perform { try context.tasks().count }
        expectEqual(count, 5)
        await #expect(throws: CocoaError.self) { try await context.perform { throw CocoaError(.fileNoSuchFile) } }
        let inserted = Counted()
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didChangeObjectsNotification,
            object: context,
            queue: nil
        ) { note in
            inserted.add((note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0)
        }
        await context.perform { _ = context.task("new") }
        expectEqual(inserted.total, 1)
        NotificationCenter.default.removeObserver(observer)
    }

    @Test func savesReportInsertedUpdatedAndDeletedObjects() throws {
        let stack = try filled()
        try stack.context.run { () throws in
            let tasks = try stack.context.tasks()
            tasks[0].text = "changed"
            stack.context.delete(tasks[1])
            let new = stack.context.task("new")
            nonisolated(unsafe) var entries: [AnyHashable: Any] = [:]
            nonisolated(unsafe) var identifiers: [AnyHashable: Any] = [:]
            let names = [NSManagedObjectContext.didSaveObjectsNotification, .NSManagedObjectContextDidSaveObjectIDs]
            let observers = names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: stack.context, queue: nil) { note in
                    if name == NSManagedObjectContext.didSaveObjectsNotification {
                        entries = note.userInfo ?? [:]
                    } else {
                        identifiers = note.userInfo ?? [:]
                    }
                }
            }
            try stack.context.save()
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            expectEqual(entries["inserted"] as? Set<NSManagedObject>, [new])
            expectEqual(entries["updated"] as? Set<NSManagedObject>, [tasks[0]])
            expectEqual(entries["deleted"] as? Set<NSManagedObject>, [tasks[1]])
            expectEqual(identifiers["inserted_objectIDs"] as? Set<NSManagedObjectID>, [new.objectID])
            expectEqual((identifiers["deleted_objectIDs"] as? Set<NSManagedObjectID>)?.count, 1)
        }
    }

    @Test func changedValuesForCurrentEventEndWithTheEvent() throws {
        let stack = try filled()
        try stack.context.run { () throws in
            let task = try #require(try stack.context.tasks().first)
            task.text = "one"
            expectEqual(task.changedValuesForCurrentEvent().keys.sorted(), ["text"])
            stack.context.processPendingChanges()
            #expect(task.changedValuesForCurrentEvent().isEmpty)
            task.priority = 2
            expectEqual(task.changedValuesForCurrentEvent().keys.sorted(), ["priority"])
            expectEqual(task.changedValues().keys.sorted(), ["priority", "text"])
        }
    }
}

/// Sums the counts from notifications.
private final class Counted: @unchecked Sendable {
    private(set) var total = 0
    func add(_ count: Int) { total += count }
}
