// Tests saves, conflicts and requests beyond rows through the graph, with the same results for SQLite and dictionaries.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

/// A delegate, as a controller without one does not follow changes.
private final class ChangeCounter: NSFetchedResultsControllerDelegate {
    var count = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { count += 1 }
}

@Suite("Engines: saves of the graph")
struct EngineGraphSaveTests {
    // MARK: Saves

    @Test(arguments: StoreType.allCases)
    func aConflictGoesToTheMergePolicy(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        func change(_ policy: Any, _ name: String, from old: String) throws {
            try stack.run { (context) throws in
                context.reset()
                context.mergePolicy = policy
                let mine = try context.one("Owner", old)
                mine.setValue(name, forKey: "name")
                try stack.elsewhere { (other) throws in
                    let theirs = try other.one("Owner", old)
                    theirs.setValue(100, forKey: "age")
                    theirs.setValue("theirs", forKey: "name")
                    try other.save()
                }
                try context.save()
            }
        }
        let error = #expect(throws: NSError.self) { () throws in try change(NSErrorMergePolicy, "mine", from: "o1") }
        expectEqual(error?.code, NSManagedObjectMergeError)
        let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict]
        expectEqual(conflicts?.count, 1)
        let conflict = try #require(conflicts?.first)
        expectEqual((conflict.cachedSnapshot ?? conflict.persistedSnapshot)?["name"] as? String, "theirs")
        try change(NSMergeByPropertyObjectTrumpMergePolicy, "mine", from: "o2")
        try stack.elsewhere { (context) throws in
            try expectEqual(context.names("Owner", "age == 100"), ["mine", "theirs"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func aRowThatIsGoneIsAConflict(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let mine = try context.one("Owner", "o1")
            mine.setValue("mine", forKey: "name")
            try stack.elsewhere { (other) throws in
                other.delete(try other.one("Owner", "o1"))
                try other.save()
            }
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            context.rollback()
            context.refreshAllObjects()
            try expectEqual(context.names("Owner"), ["o0", "o2", "o3", "o4", "o5"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func aValueThatMustBeUniqueIsRefused(_ type: StoreType) throws {
        let model = EngineModel.make()
        model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
        let stack = try EngineStack(type, model: model)
        try stack.run { (context) throws in
            for name in ["a", "b", nil, nil] { context.make("Tag").setValue(name, forKey: "name") }
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let owner = context.make("Owner", ["name": "o"])
            context.make("Tag", ["name": "a"]).setValue(NSSet(object: owner), forKey: "owners")
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.names("Tag", "name != nil"), ["a", "b"])
            try expectEqual(context.one("Tag", "a").names("owners"), ["o"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func aChildContextSavesThroughItsParent(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        let child = stack.context.makeChild()
        try child.performAndWait { () throws in
            let owner = try child.one("Owner", "o1")
            owner.setValue("p1", forKey: "name")
            child.make("Animal", ["name": "pet", "owner": owner])
            try expectEqual(child.names("Owner", "age < 3"), ["o0", "o2", "p1"])
            expectEqual(owner.names("pets"), ["a1", "d1", "pet"])
            try child.save()
        }
        try stack.elsewhere { (context) throws in #expect(try context.names("Owner", "name == 'p1'").isEmpty) }
        try stack.run { (context) throws in try context.save() }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.one("Owner", "p1").names("pets"), ["a1", "d1", "pet"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func aRollbackShowsTheStoredValues(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o1")
            owner.setValue("x", forKey: "name")
            owner.mutableSetValue(forKey: "pets").removeAllObjects()
            context.delete(try context.one("Owner", "o2"))
            context.make("Owner", ["name": "new"])
            context.rollback()
            #expect(!context.hasChanges)
            expectEqual(owner.name, "o1")
            expectEqual(owner.names("pets"), ["a1", "d1"])
            try expectEqual(context.names("Owner"), ["o0", "o1", "o2", "o3", "o4", "o5"])
            try context.save()
        }
    }

    @Test(arguments: StoreType.allCases)
    func anotherContextSeesASaveAfterARefresh(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o1")
            expectEqual(owner.name, "o1")
            expectEqual(owner.names("pets"), ["a1", "d1"])
            try stack.elsewhere { (other) throws in
                let theirs = try other.one("Owner", "o1")
                theirs.setValue(70, forKey: "age")
                other.make("Animal", ["name": "n1", "owner": theirs])
                try other.save()
            }
            expectEqual(owner.value(forKey: "age") as? Int, 1)
            context.refresh(owner, mergeChanges: false)
            expectEqual(owner.value(forKey: "age") as? Int, 70)
            expectEqual(owner.names("pets"), ["a1", "d1", "n1"])
        }
    }

    // MARK: Requests beyond rows

    @Test(arguments: StoreType.allCases)
    func aResultsControllerKeepsItsSections(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let request = context.request("Animal", "owner.age < 3", sort: ["owner.name", "name"])
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: "owner.name",
                cacheName: nil
            )
            let delegate = ChangeCounter()
            controller.delegate = delegate
            try controller.performFetch()
            func sections() -> [String] {
                (controller.sections ?? []).map { section in
                    let names = (section.objects as? [NSManagedObject] ?? []).map(\.name)
                    return "\(section.name): \(names.joined(separator: " "))"
                }
            }
            expectEqual(sections(), ["o0: a0 d0", "o1: a1 d1", "o2: a2 d2"])
            context.make("Animal", ["name": "b1", "owner": try context.one("Owner", "o1")])
            try context.one("Animal", "a0").setValue(try context.one("Owner", "o2"), forKey: "owner")
            context.delete(try context.one("Animal", "d0"))
            try context.save()
            expectEqual(sections(), ["o1: a1 b1 d1", "o2: a0 a2 d2"])
            #expect(delegate.count > 0)
        }
    }

    @Test
    func aStoreMovesToSQLiteButNotBack() throws {
        let stack = try EngineStack(.dictionary)
        try stack.fill()
        let old = try #require(stack.coordinator.persistentStores.first)
        let new = try stack.coordinator.migratePersistentStore(
            old,
            to: try #require(old.url).appendingPathExtension("sqlite"),
            options: nil,
            withType: NSSQLiteStoreType
        )
        try stack.elsewhere { (context) throws in
            try expectEqual(context.one("Owner", "o3").names("pets"), ["a3", "d3"])
            try expectEqual(context.one("Tag", "y").names("owners"), ["o2", "o3"])
        }
        let error = #expect(throws: NSError.self) { () throws in
            try stack.coordinator.migratePersistentStore(
                new,
                to: try #require(old.url).appendingPathExtension("dictionary"),
                options: nil,
                withType: "Dictionary"
            )
        }
        expectEqual(error?.localizedDescription.contains("cannot be migrated"), true)
        expectEqual(stack.coordinator.persistentStores, [new])
    }

    @Test
    func batchRequestsNeedAnEngineThatHasThem() throws {
        let stack = try EngineStack(.dictionary)
        try stack.fill()
        try stack.run { (context) throws in
            let update = NSBatchUpdateRequest(entityName: "Owner")
            update.propertiesToUpdate = ["age": 5]
            let requests: [NSPersistentStoreRequest] = [
                update, NSBatchInsertRequest(entityName: "Owner", objects: [["name": "x"]]),
                NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Owner")),
            ]
            for request in requests {
                let error = #expect(throws: NSError.self) { () throws in try context.execute(request) }
                expectEqual(error?.code, NSPersistentStoreUnsupportedRequestTypeError)
                expectEqual(error?.localizedDescription.contains("Dictionary"), true)
            }
            try expectEqual(context.names("Owner", "age == 5"), ["o5"])
        }
    }

    @Test(arguments: StoreType.withoutHistory)
    func aStoreWithoutAHistoryAnswersWithNothing(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let fetch = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(fetch) as? NSPersistentHistoryResult
            expectEqual((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty, true)
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            expectNil(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        }
    }

    @Test(arguments: StoreType.allCases)
    func aStoreThatWasRemovedSaysSo(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o1")
            owner.setValue("x", forKey: "name")
            let store = try #require(stack.coordinator.persistentStores.first)
            try stack.coordinator.remove(store)
            #expect(throws: NSError.self) { () throws in try context.save() }
        }
    }
}
