// Conflicts of uniqueness constraints: with rows in the store, and among the objects of one save.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct ConstraintConflicts {
    let stack: Stack
    let context: NSManagedObjectContext

    static let storeCounts: [NSMergePolicy] = [.mergeByPropertyStoreTrump, .rollback]
    static let objectCounts: [NSMergePolicy] = [.mergeByPropertyObjectTrump, .overwrite]

    init() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        stack = try Stack(model: model)
        context = stack.context
        try context.run { () throws in
            let task = context.task("a", priority: 1)
            task.setValue(1.5, forKey: "weight")
            let place = TestLocation(context: context)
            place.name = "home"
            task.location = place
            _ = context.task("b", priority: 2)
            try context.save()
        }
        context.performAndWait { context.reset() }
    }

    private func stored() throws -> [(String?, Int16, Double?, String?)] {
        let other = stack.otherContext()
        return try other.performAndWait { () throws in
            try other.tasks().map {
                ($0.text, $0.priority, $0.value(forKey: "weight") as? Double, $0.location?.name)
            }
        }
    }

    @Test("New objects that lose against rows are faults without a context, and stay so when they are read")
    func losers() throws {
        for policy in Self.storeCounts {
            try context.run { () throws in
                context.mergePolicy = policy
                let (loser, saved) = (context.task("a"), context.task("new \(policy.mergeType.rawValue)"))
                try context.save()
                expectNil(loser.text)
                #expect(loser.isFault)
                expectNil(loser.managedObjectContext)
                #expect(!saved.isFault && saved.managedObjectContext === context)
            }
        }
    }

    @Test func theErrorPolicyFailsWith133021AndSaysWhichObjects() throws {
        try context.run { () throws in
            let task = context.task("a", priority: 5)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            let conflict = try #require(list?.first)
            expectEqual(conflict.constraint, ["text"])
            expectEqual(conflict.constraintValues["text"] as? String, "a")
            expectEqual(conflict.databaseSnapshot?["priority"] as? Int, 1)
            expectEqual(conflict.databaseObject?.objectID.uriRepresentation().lastPathComponent, "p1")
            expectEqual(conflict.conflictingObjects, [task])
            #expect(task.isInserted && task.objectID.isTemporaryID)
            task.text = "c"
            try context.save()
        }
        try expectEqual(stored().map(\.0), ["a", "b", "c"])
    }

    @Test(arguments: storeCounts)
    func aNewObjectIsDroppedIfTheStoreWins(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            let task = context.task("a", priority: 5)
            let good = context.task("c", priority: 3)
            try context.save()
            expectNil(task.managedObjectContext)
            #expect(!good.isInserted && !context.hasChanges)
        }
        let rows = try stored()
        expectEqual(rows.map(\.0), ["a", "b", "c"])
        expectEqual(rows.map(\.1), [1, 2, 3])
    }

    @Test("The row adopts the members of a new object that loses, and willSave is called on it")
    func membersOfLosers() throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.run { () throws in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            let loser = context.task("a", priority: 5)
            loser.setValue(Set([tag]), forKey: "tags")
            try context.save()
            let winner = try #require(try context.tasks("text == 'a'").first)
            expectEqual(winner.value(forKey: "tags") as? Set<NSManagedObject>, [tag])
            expectEqual(tag.value(forKey: "tagged") as? Set<NSManagedObject>, [winner])
            expectEqual(winner.calls.filter { $0 == "willSave" }.count, 1)
            expectEqual(winner.priority, 1)
            expectNil(loser.managedObjectContext)
            #expect(!context.hasChanges)
        }
        let other = stack.otherContext()
        try expectEqual(other.run { try other.tasks("tags.@count == 1").map(\.text) }, ["a"])
    }

    @Test("Of several new objects, the first one adopts the members of the others")
    func membersOfNewObjects() throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let names = try context.run { () throws in
            for name in ["x", "y", "z"] {
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                tag.setValue(name, forKey: "name")
                context.task("c").setValue(Set([tag]), forKey: "tags")
            }
            try context.save()
            let tags = try context.tasks("text == 'c'").first?.value(forKey: "tags") as? Set<NSManagedObject>
            return tags?.compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
        expectEqual(names, ["x", "y", "z"])
    }

    @Test("Objects that point to a new object that loses point to the row, unless local changes are dropped")
    func ownersOfLosers() throws {
        let model = TasksModel.make()
        model.entitiesByName["Location"]?.uniquenessConstraints = [["name"]]
        for policy in Self.storeCounts {
            let stack = try Stack(model: model)
            try stack.saveHome(tasks: ["old"])
            let context = stack.otherContext()
            context.mergePolicy = policy
            try context.run { () throws in
                let (task, place) = context.taskAtPlace("new")
                place.name = "home"
                try context.save()
                let isKept = policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType
                expectEqual(task.location?.name, isKept ? "home" : nil)
                expectEqual(task.location?.tasks?.count, isKept ? 2 : nil)
                expectNil(place.managedObjectContext)
                #expect(!context.hasChanges)
            }
        }
    }

    @Test(arguments: objectCounts)
    func aNewObjectTakesOverTheRowIfTheObjectWins(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            let task = context.task("a", priority: 5)
            try context.save()
            expectEqual(task.objectID.uriRepresentation().lastPathComponent, "p1")
            #expect(!task.isInserted && !context.hasChanges)
            expectEqual(task.priority, 5)
            let isWhole = policy.mergeType == .overwriteMergePolicyType
            expectEqual(task.value(forKey: "weight") as? Double, (isWhole ? nil : 1.5))
            expectEqual(task.location?.name, (isWhole ? nil : "home"))
            try expectEqual(context.tasks().count, 2)
        }
        let rows = try stored()
        #expect(rows.map(\.0) == ["a", "b"] && rows[0].1 == 5)
    }

    @Test(arguments: objectCounts)
    func aRowInUseTakesTheNewValues(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            let old = try #require(try context.tasks("text == 'a'").first)
            expectEqual(old.priority, 1)
            let place = TestLocation(context: context)
            place.name = "new place"
            let task = context.task("a", priority: 5)
            task.location = place
            try context.save()
            expectEqual(old.priority, 5)
            #expect(old.location === place)
            expectEqual(place.tasks, NSSet(object: old))
            expectNil(task.managedObjectContext)
        }
        let rows = try stored()
        expectEqual(rows.map(\.0), ["a", "b"])
        #expect(rows[0].1 == 5 && rows[0].3 == "new place")
    }

    @Test(arguments: storeCounts + objectCounts)
    func aChangedObjectThatConflictsWithAnotherRow(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            let task = try #require(try context.tasks("text == 'b'").first)
            task.text = "a"
            task.priority = 9
            try context.save()
            switch policy.mergeType {
            case .mergeByPropertyStoreTrumpMergePolicyType: #expect(task.text == "b" && task.priority == 9)
            case .rollbackMergePolicyType: #expect(task.text == "b" && task.priority == 2)
            default: #expect(task.text == "a" && task.priority == 9)
            }
            #expect(!context.hasChanges)
        }
        let rows = try stored()
        switch policy.mergeType {
        case .mergeByPropertyStoreTrumpMergePolicyType: expectEqual(rows.map(\.1), [1, 9])
        case .rollbackMergePolicyType: expectEqual(rows.map(\.1), [1, 2])
        default: #expect(rows.map(\.0) == ["a"] && rows.map(\.1) == [9])
        }
    }

    @Test("A row is the row of the store, too, if the same save changes another of its values")
    func changedRows() throws {
        for policy in Self.storeCounts + Self.objectCounts {
            let stack = try Stack(model: self.stack.coordinator.managedObjectModel)
            let context = stack.context
            try context.run { () throws in
                let row = context.task("a", priority: 1)
                try context.save()
                context.mergePolicy = policy
                row.setValue(2.5, forKey: "weight")
                let new = context.task("a", priority: 5)
                try context.save()
                expectNil(new.managedObjectContext)
                #expect(row.managedObjectContext === context && !context.hasChanges)
                expectEqual(row.priority, Self.objectCounts.contains(policy) ? 5 : 1)
                let isCleared =
                    policy.mergeType == .rollbackMergePolicyType || policy.mergeType == .overwriteMergePolicyType
                expectEqual(row.value(forKey: "weight") as? Double, isCleared ? nil : 2.5)
            }
            let rows = try stack.rows("SELECT ZTEXT FROM ZTASK")
            expectEqual(rows, [[.text("a")]])
        }
    }

    @Test("A row that gives way to a changed object does not take the values of a new one", arguments: objectCounts)
    func replacedRows(policy: NSMergePolicy) throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"], ["weight"]]
        let stack = try Stack(model: model)
        let context = stack.context
        context.mergePolicy = policy
        try context.run { () throws in
            let row = context.task("a")
            row.weight = 1.5
            let changed = context.task("b")
            changed.weight = 2.5
            try context.save()
            changed.text = "a"
            let new = context.task("n")
            new.weight = 1.5
            try context.save()
            expectNil(row.managedObjectContext)
            #expect(!changed.hasChanges && !new.hasChanges && new.managedObjectContext === context)
        }
        let other = stack.otherContext()
        try expectEqual(other.run { try other.tasks().map(\.text) }, ["a", "n"])
    }

    @Test("The temporary identifier of a new object that takes over a row stays its own", arguments: objectCounts)
    func temporaryIdentifiers(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let (own, id) = try child.performAndWait { () throws in
            let own = child.task("a", priority: 5)
            try child.save()
            return (own, own.objectID)
        }
        #expect(id.isTemporaryID)
        try context.run { () throws in
            try context.save()
            expectEqual((context.object(with: id) as? TestTask)?.priority, 5)
            #expect(!context.object(with: id).objectID.isTemporaryID)
        }
        child.performAndWait {
            child.refresh(own, mergeChanges: false)
            expectEqual(own.priority, 5)
            #expect(!own.isDeleted)
        }
    }

    @Test("Observers are notified of the values that a policy takes back", arguments: storeCounts)
    func notifiedReversals(policy: NSMergePolicy) throws {
        let recorder = Recorder(context)
        try context.run { () throws in
            context.mergePolicy = policy
            let task = try #require(try context.tasks("text == 'b'").first)
            task.text = "a"
            try context.save()
            expectEqual(task.text, "b")
            expectEqual(recorder.events.last?[NSRefreshedObjectsKey], [task])
        }
    }

    @Test(arguments: storeCounts + objectCounts)
    func amongNewObjectsTheFirstOrTheLastSurvives(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            _ = context.task("c", priority: 3)
            _ = context.task("c", priority: 4)
            _ = context.task("c", priority: 5)
            try context.save()
        }
        let isFirst = Self.storeCounts.contains(policy)
        try expectEqual(stored().map(\.1), [1, 2, isFirst ? 3 : 5])
    }

    @Test func aValueThatADeletedObjectGivesUpIsFree() throws {
        try context.run { () throws in
            context.delete(try #require(try context.tasks("text == 'a'").first))
            _ = context.task("a", priority: 8)
            try context.save()
        }
        try expectEqual(stored().map(\.1), [8, 2])
    }

    @Test func valuesOfDifferentStoresDoNotConflict() throws {
        let second = try stack.addStore("Second.sqlite")
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.run { () throws in
            let loser = context.task("a")
            let other = context.task("b", priority: 7)
            context.assign(other, to: second)
            try context.save()
            expectNil(loser.managedObjectContext)
            #expect(other.managedObjectContext === context && other.objectID.persistentStore === second)
        }
        try expectEqual(stored().map(\.0), ["a", "b", "b"])
    }

    @Test func valuesOfNilDoNotConflict() throws {
        try context.run { () throws in
            for _ in 0..<3 { context.task("x").text = nil }
            try context.save()
        }
        try expectEqual(stored().count, 5)
    }

    @Test(
        "Texts that are canonically equivalent are two values, as in the index",
        arguments: [["text"], ["text", "done"]]
    )
    func equivalentTexts(constraint: [String]) throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [constraint]
        let stack = try Stack(model: model)
        let context = stack.context
        try context.run { () throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            for text in ["a", "\u{E9}", "e\u{301}", "a"] { context.task(text).setValue(true, forKey: "done") }
            try context.save()
            for text in ["\u{E9}", "e\u{301}"] { context.task(text).setValue(true, forKey: "done") }
            try context.save()
        }
        try expectEqual(stack.rows("SELECT COUNT(*) FROM ZTASK"), [[.integer(3)]])
    }

    @Test func aThousandNewObjectsOfWhichSomeConflictAreSavedInOneGo() throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.run { () throws in
            for number in 0..<1000 { _ = context.task("\(number)", priority: 1) }
            try context.save()
            for number in stride(from: 0, to: 2000, by: 2) { _ = context.task("\(number)", priority: 2) }
            try context.save()
        }
        let rows = try stored()
        expectEqual(rows.count, 1502)
        expectEqual(rows.filter { $0.1 == 2 }.count, 1001)
    }

    @Test("The conflicts of one save are resolved in one event", arguments: storeCounts + objectCounts)
    func events(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try context.run { () throws in
            for number in 0..<50 { _ = context.task("\(number)") }
            try context.save()
            context.reset()
            let recorder = Recorder(context)
            for number in 0..<50 { _ = context.task("\(number)", priority: 5) }
            try context.save()
            // The insertion, and the resolution.
            expectEqual(recorder.events.count, 2)
            try expectEqual(context.tasks("priority == 5").count, Self.objectCounts.contains(policy) ? 50 : 0)
        }
    }

    @Test(
        "A new object does not take over a row that a delete rule removes in the same resolution",
        arguments: objectCounts
    )
    func rowsDeletedByRules(policy: NSMergePolicy) throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        let place = try #require(model.entitiesByName["Location"])
        place.uniquenessConstraints = [["name"]]
        place.relationshipsByName["tasks"]?.deleteRule = .cascadeDeleteRule
        // Conflicts are resolved in the order of the entities: the places first.
        model.entities.sort { $0.name ?? "" < $1.name ?? "" }
        let stack = try Stack(model: model)
        try stack.saveHome(tasks: ["a"])
        let context = stack.otherContext()
        try context.run { () throws in
            let work = TestLocation(context: context)
            work.name = "work"
            try context.save()
            context.mergePolicy = policy
            work.name = "home"
            _ = context.task("a", priority: 5)
            try context.save()
            #expect(!context.hasChanges)
        }
        let other = stack.otherContext()
        try other.run { () throws in
            try expectEqual(other.tasks().map(\.priority), [5])
            try expectEqual(other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Location")), 1)
        }
    }
}
