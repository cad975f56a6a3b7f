// Live observation of stores: opening, migration, history, stores without statements, and the view of single rows.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ActivityOfStores {
    private let place: TestFolder
    private var folder: URL { place.url }

    init() throws {
        place = try TestFolder()
    }

    private func coordinator(_ model: NSManagedObjectModel = TasksModel.make()) -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        return coordinator.makeContext()
    }

    @Test func openingAndMigration() throws {
        let url = folder.appending(path: "Tasks.sqlite")
        let first = coordinator()
        let log = ActivityLog(first)
        let store = try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        expectEqual(log.causes, ["opening"])
        #expect(log.texts("opening").contains { $0.hasPrefix("CREATE TABLE ZTASK") })
        #expect(log.statements.allSatisfy { $0.store.url == url && $0.context == nil })
        try context(first).run { () throws in }
        let writing = context(first)
        try writing.saveTask("a")
        try first.remove(store)

        let model = TasksModel.make()
        model.entitiesByName["Task"]?.properties.append(NSAttributeDescription("note"))
        let second = coordinator(model)
        log.clear()
        log.observe(second)
        try second.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
        )
        expectEqual(Set(log.causes), ["migration", "opening"])
        #expect(log.texts("migration").contains { $0.contains("ZNOTE") })
        #expect(log.statements.allSatisfy { $0.store.url == url })
    }

    @Test func historyRequests() throws {
        let coordinator = coordinator()
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: folder.appending(path: "History.sqlite"),
            options: [NSPersistentHistoryTrackingKey: true]
        )
        let context = context(coordinator)
        try context.run { () throws in
            _ = context.task("a")
            try context.save()
            let log = ActivityLog(coordinator)
            let result =
                try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
                as? NSPersistentHistoryResult
            expectEqual((result?.result as? [NSPersistentHistoryTransaction])?.count, 1)
            expectEqual(log.causes, ["history"])
            #expect(!log.statements.isEmpty)
            log.clear()
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            expectEqual(log.causes, ["history"])
            #expect(log.texts("history").contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test(arguments: [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType])
    func storesWithoutAFileOfTables(_ type: String) throws {
        let coordinator = coordinator()
        let log = ActivityLog(coordinator)
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: nil,
            at: type == NSInMemoryStoreType ? nil : folder.appending(path: "Tasks.\(type)")
        )
        let context = context(coordinator)
        try context.run { () throws in
            let task = context.task("a")
            try context.save()
            let save = try #require(log.saves.first)
            #expect(save.inserted.map(\.objectID) == [task.objectID] && save.inserted[0].properties.contains("text"))
            context.refresh(task, mergeChanges: false)
            expectEqual(task.text, "a")
            expectEqual(log.faults.map(\.objectID), [task.objectID])
            if type == NSInMemoryStoreType {
                #expect(log.causes.contains { $0.hasPrefix("fault Task/p") })
                try expectEqual(coordinator.storedRow(for: task.objectID)["ZTEXT"], "'a'")
            } else {
                #expect(log.statements.isEmpty)
                let error = #expect(throws: NSError.self) { try coordinator.storedRow(for: task.objectID) }
                expectEqual(error?.code, NSCoreDataError)
                expectEqual(error?.localizedDescription.contains(type), true)
            }
        }
    }

    @Test func rowsAndSizes() throws {
        let stack = try Stack()
        let log = ActivityLog(stack.coordinator)
        try stack.context.run { () throws in
            let context = stack.context
            let task = context.task(String(repeating: "long", count: 30), priority: 3)
            task.setValue(Data(repeating: 7, count: 20), forKey: "picture")
            let new = #expect(throws: NSError.self) { try stack.coordinator.storedRow(for: task.objectID) }
            expectEqual(new?.code, NSCoreDataError)
            expectEqual(context.registeredObjectCount, context.registeredObjects.count)
            _ = context.task("not named yet")
            expectEqual(context.registeredObjectCount, 2)
            try context.save()
            task.priority = 4
            log.clear()
            let row = try stack.coordinator.storedRow(for: task.objectID)
            #expect(row.table == "ZTASK" && row["Z_PK"] == "\(row.primaryKey)")
            expectEqual(Array(row.columns.prefix(3).map(\.name)), ["Z_PK", "Z_ENT", "Z_OPT"])
            #expect(row["ZPRIORITY"] == "3" && row["ZLOCATION"] == "NULL" && row["ZNOTHING"] == nil)
            expectEqual(row["ZTEXT"]?.hasSuffix("(120 characters)"), true)
            expectEqual(row["ZPICTURE"]?.hasSuffix("(20 bytes)"), true)
            #expect(log.causes.count == 1 && log.causes[0].hasPrefix("inspection Task/p"))
            context.delete(task)
            let identifier = task.objectID
            try context.save()
            let gone = #expect(throws: NSError.self) { try stack.coordinator.storedRow(for: identifier) }
            expectEqual(gone?.code, NSManagedObjectReferentialIntegrityError)
        }
        let sizes = try #require(stack.coordinator.persistentStores[0].fileSizes)
        #expect(sizes.main > 0 && sizes.log > 0)
        expectEqual(sizes.total, sizes.main + sizes.log)
        let memory = coordinator()
        try memory.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        expectNil(memory.persistentStores[0].fileSizes)
        let memoryError = #expect(throws: NSError.self) {
            let identifier = try stack.context.run { () throws in try #require(stack.context.tasks().first).objectID }
            _ = try memory.storedRow(for: identifier)
        }
        expectEqual(memoryError?.code, NSCoreDataError)
    }
}
