// Version conflicts: each policy with each kind of conflict between two contexts.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct MergePolicies {
    let stack: Stack
    let mine: NSManagedObjectContext
    let theirs: NSManagedObjectContext

    static let settling: [NSMergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    init() throws {
        stack = try Stack()
        mine = stack.context
        theirs = stack.otherContext()
        try mine.run { () throws in
            let task = mine.task("text", priority: 1)
            task.setValue(1.5, forKey: "weight")
            let place = TestLocation(context: mine)
            place.name = "home"
            task.location = place
            let workplace = TestLocation(context: mine)
            workplace.name = "work"
            try mine.save()
        }
    }

    /// Makes a change in the first context, saves another in the second, then saves the first.
    private func collide(
        _ policy: NSMergePolicy,
        here: (TestTask) throws -> Void,
        there: (TestTask) throws -> Void
    ) throws -> TestTask {
        mine.mergePolicy = policy
        let task = try mine.run { () throws in
            let task = try #require(try mine.tasks().first)
            _ = task.location?.name
            try here(task)
            return task
        }
        try theirs.run { () throws in
            let own = try #require(try theirs.tasks().first)
            try there(own)
            try theirs.save()
        }
        try mine.run { () throws in try mine.save() }
        return task
    }

    private func stored() throws -> TestTask? {
        let context = stack.otherContext()
        kept.append(context)
        return try context.performAndWait { () throws in try context.tasks().first }
    }
    private let keeper = Keeper()
    private var kept: Keeper { keeper }
    private final class Keeper {
        var contexts: [NSManagedObjectContext] = []
        func append(_ context: NSManagedObjectContext) { contexts.append(context) }
    }

    // "error (0, default): save fails with 133020; conflict list in userInfo"
    @Test func theErrorPolicyFailsAndSaysWhichValuesStandOnEitherSide() throws {
        let error = #expect(throws: NSError.self) {
            try collide(.error, here: { $0.text = "mine" }, there: { $0.text = "theirs" })
        }
        expectEqual(error?.code, NSManagedObjectMergeError)
        let list = try #require(error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
        expectEqual(list.count, 1)
        #expect(list[0].oldVersionNumber == 1 && list[0].newVersionNumber == 2)
        expectEqual(list[0].objectSnapshot?["text"] as? String, "text")
        expectEqual(list[0].cachedSnapshot?["text"] as? String, "theirs")
        expectNil(list[0].persistedSnapshot)
        let message = try #require(error?.localizedDescription)
        #expect(message.contains("text is \"mine\" here and \"theirs\" in the store, read as \"text\""))
        mine.performAndWait { #expect(mine.hasChanges) }
        try expectEqual(stored()?.text, "theirs")
    }

    @Test(arguments: [
        (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "theirs", Int16(7), 9.0),
        (.mergeByPropertyObjectTrumpMergePolicyType, "mine", 7, 9.0),
        (.overwriteMergePolicyType, "mine", 7, 1.5),
        (.rollbackMergePolicyType, "theirs", 1, 9.0),
    ])
    func eachPolicySettlesPropertyByProperty(
        type: NSMergePolicyType,
        text: String,
        priority: Int16,
        weight: Double
    ) throws {
        let task = try collide(NSMergePolicy(merge: type)) {
            $0.text = "mine"
            $0.priority = 7
        } there: {
            $0.text = "theirs"
            $0.setValue(9.0, forKey: "weight")
        }
        mine.performAndWait {
            expectEqual(task.text, text)
            expectEqual(task.priority, priority)
            expectEqual(task.value(forKey: "weight") as? Double, weight)
            #expect(!task.hasChanges && !mine.hasChanges)
        }
        let savedTask = try #require(try stored())
        savedTask.managedObjectContext?.performAndWait {
            expectEqual(savedTask.text, text)
            expectEqual(savedTask.priority, priority)
            expectEqual(savedTask.value(forKey: "weight") as? Double, weight)
        }
        // The version is the store's, so the next save has no conflict.
        try mine.run { () throws in
            task.text = "again"
            mine.mergePolicy = NSMergePolicy.error
            try mine.save()
        }
    }

    @Test(arguments: settling)
    func differentPropertiesAreMerged(policy: NSMergePolicy) throws {
        let task = try collide(policy, here: { $0.priority = 7 }, there: { $0.text = "theirs" })
        let isRollback = policy.mergeType == .rollbackMergePolicyType
        let isWhole = policy.mergeType == .overwriteMergePolicyType
        mine.performAndWait {
            expectEqual(task.priority, (isRollback ? 1 : 7))
            expectEqual(task.text, (isWhole ? "text" : "theirs"))
        }
    }

    @Test(arguments: settling)
    func toOneDestinationsFollowThePolicyOnBothSides(policy: NSMergePolicy) throws {
        func place(_ name: String, _ context: NSManagedObjectContext) throws -> TestLocation {
            let request = NSFetchRequest<TestLocation>(entityName: "Location")
            request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
            return try #require(try context.fetch(request).first)
        }
        let third = try mine.run { () throws in
            let third = TestLocation(context: mine)
            third.name = "third"
            try mine.save()
            return third
        }
        let work = try mine.run { () throws in try place("work", mine) }
        let task = try collide(policy) {
            $0.location = work
        } there: {
            $0.location = try place("third", theirs)
        }
        let objectCounts = [.overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType]
            .contains(policy.mergeType)
        mine.performAndWait {
            #expect(task.location === (objectCounts ? work : third))
            expectEqual(work.tasks?.count, (objectCounts ? 1 : 0))
            mine.refresh(third, mergeChanges: true)
            expectEqual(third.tasks?.count, (objectCounts ? 0 : 1))
        }
        try expectEqual(stored()?.location?.name, (objectCounts ? "work" : "third"))
    }

    @Test(arguments: settling)
    func changedHereAndDeletedThere(policy: NSMergePolicy) throws {
        let task = try collide(policy, here: { $0.text = "mine" }, there: { theirs.delete($0) })
        // A deletion cannot be merged by property: it wins, unless the policy overwrites whole objects.
        let objectCounts = policy.mergeType == .overwriteMergePolicyType
        mine.performAndWait {
            expectEqual((task.managedObjectContext == nil), !objectCounts)
            #expect(!mine.hasChanges)
            if objectCounts { #expect(task.text == "mine" && task.priority == 1) }
        }
        try expectEqual(stored()?.text, (objectCounts ? "mine" : nil))
    }

    @Test(arguments: settling)
    func deletedHereAndChangedThere(policy: NSMergePolicy) throws {
        let task = try collide(policy, here: { mine.delete($0) }, there: { $0.text = "theirs" })
        let objectCounts = [.overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType]
            .contains(policy.mergeType)
        mine.performAndWait {
            #expect(!mine.hasChanges)
            if !objectCounts { #expect(!task.isDeleted && task.text == "theirs") }
        }
        try expectEqual(stored()?.text, (objectCounts ? nil : "theirs"))
    }

    @Test func deletedOnBothSidesIsAnErrorOnlyForTheErrorPolicy() throws {
        _ = try collide(.overwrite, here: { mine.delete($0) }, there: { theirs.delete($0) })
        try expectNil(stored())
    }

    @Test func aPolicyOfOnesOwnSeesTheConflictsAndMayRefuse() throws {
        let policy = RecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        _ = try collide(policy, here: { $0.text = "mine" }, there: { $0.text = "theirs" })
        expectEqual(policy.conflicts.count, 1)
        expectEqual(policy.conflicts.first?.description.contains("Task/p1"), true)
        policy.refusal = NSError(domain: "test", code: 7)
        let error = #expect(throws: NSError.self) {
            try collide(policy, here: { $0.text = "mine 2" }, there: { $0.text = "theirs 2" })
        }
        expectEqual(error?.domain, "test")
        mine.performAndWait { #expect(mine.hasChanges) }
    }

    @Test func detectConflictsChecksObjectsThatAreNotChanged() throws {
        mine.mergePolicy = NSMergePolicy.error
        let task = try mine.run { () throws in try #require(try mine.tasks().first) }
        try theirs.run { () throws in
            try theirs.tasks().first?.text = "theirs"
            try theirs.save()
        }
        try mine.run { () throws in
            _ = mine.task("other")
            mine.detectConflicts(for: task)
            let error = #expect(throws: NSError.self) { try mine.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            mine.refresh(task, mergeChanges: true)
            try mine.save()
        }
    }

    @Test func aResetForgetsWhichObjectsToCheckForConflicts() throws {
        let second = try stack.addStore("Second.sqlite")
        try mine.run { () throws in
            let task = mine.task("a")
            mine.assign(task, to: second)
            try mine.save()
            mine.detectConflicts(for: task)
            mine.reset()
            // A save would look for the store of the object.
            try stack.coordinator.remove(second)
            _ = mine.task("b")
            try mine.save()
        }
    }

    @Test func theNotificationOfAResolvedSaveHasTheMergedObjects() throws {
        final class Box: @unchecked Sendable { var updated: Set<NSManagedObject> = [] }
        let box = Box()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: mine,
            queue: nil
        ) { box.updated = $0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? [] }
        defer { NotificationCenter.default.removeObserver(token) }
        let task = try collide(.mergeByPropertyObjectTrump, here: { $0.text = "mine" }, there: { $0.priority = 5 })
        #expect(box.updated.contains(task))
    }

    @Test func theNotificationOfASaveHasTheObjectThatAPolicyWritesAnew() throws {
        let listener = NotificationListener(.NSManagedObjectContextDidSave, of: mine, keepsLast: true)
        try mine.run {
            _ = mine.task("dropped")
            mine.processPendingChanges()
            mine.rollback()
        }
        let task = try collide(.overwrite, here: { $0.text = "mine" }, there: { theirs.delete($0) })
        expectEqual(listener.last?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>, [task])
    }

    // MARK: Children

    @Test(arguments: settling + [.error])
    func aChildsChangesAreSetOverItsParentsUnsavedOnes(policy: NSMergePolicy) throws {
        let child = mine.makeChild()
        child.mergePolicy = policy
        let own = try child.run { () throws in
            let own = try #require(try child.tasks().first)
            own.text = "child"
            own.priority = 7
            return own
        }
        let task = try mine.run { () throws in
            let task = try #require(try mine.tasks().first)
            task.text = "parent"
            task.setValue(9.0, forKey: "weight")
            return task
        }
        try child.run { () throws in try child.save() }
        child.performAndWait {
            expectEqual(own.text, "child")
            expectEqual(own.priority, 7)
            #expect(!child.hasChanges)
        }
        try mine.run { () throws in
            expectEqual(task.text, "child")
            expectEqual(task.priority, 7)
            expectEqual(task.value(forKey: "weight") as? Double, 9)
            try mine.save()
        }
        let rows = try stack.rows("SELECT ZTEXT, ZPRIORITY, ZWEIGHT FROM ZTASK")
        expectEqual(rows, [[.text("child"), .integer(7), .real(9)]])
    }

    @Test func twoChildrenThatChangeDifferentPropertiesAreBothSaved() throws {
        let children = (0..<2).map { _ in
            return mine.makeChild()
        }
        let tasks = try children.map { child in
            try child.run { () throws in
                let task = try #require(try child.tasks().first)
                expectEqual(task.text, "text")
                return task
            }
        }
        try children[0].run { () throws in
            tasks[0].text = "first form"
            try children[0].save()
        }
        try children[1].run { () throws in
            tasks[1].priority = 5
            try children[1].save()
            // A deletion overrides the other child's change too.
            children[1].delete(tasks[1])
        }
        try mine.run { () throws in
            let task = try #require(try mine.tasks().first)
            expectEqual(task.text, "first form")
            expectEqual(task.priority, 5)
            task.text = "again"
        }
        try children[1].run { () throws in try children[1].save() }
        try mine.run { () throws in #expect(try mine.tasks().isEmpty) }
    }

    @Test func anObjectThatTheParentIsDeletingStaysOneObjectIfTheChildWins() throws {
        let stack = try Stack()
        let parent = stack.context
        let task = try parent.performAndWait { () throws in
            let location = TestLocation(context: parent)
            location.name = "home"
            let task = parent.task("a")
            task.location = location
            try parent.save()
            return task
        }
        let child = parent.makeChild()
        let theirs = try child.performAndWait { () throws in
            let theirs = try #require(try child.tasks().first)
            expectEqual(theirs.text, "a")
            return theirs
        }
        parent.performAndWait {
            parent.delete(task)
            parent.processPendingChanges()
        }
        try child.performAndWait { () throws in
            theirs.text = "b"
            let error = #expect(throws: NSError.self) { try child.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            expectEqual(error?.localizedDescription.contains("in the parent context"), true)
            child.mergePolicy = NSMergePolicy.overwrite
            try child.save()
            expectEqual(theirs.text, "b")
            #expect(!theirs.hasChanges)
        }
        try parent.run { () throws in
            #expect(parent.object(with: task.objectID) === task && !task.isDeleted)
            try expectEqual(parent.tasks().map(\.text), ["b"])
            try parent.save()
            expectEqual(task.text, "b")
            expectEqual(task.location?.name, "home")
        }
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK"), [[.text("b")]])
    }

    @Test func objectsThatAValidationInsertsInARetryAreSaved() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(TaggingTask.self)
        let stack = try Stack(model: model)
        let mine = stack.context
        mine.performAndWait { mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        let task = try mine.run { () throws in
            let task = mine.make("Task", ["text": "a"])
            try mine.save()
            return task
        }
        let theirs = stack.otherContext()
        try theirs.run { () throws in
            try theirs.existingObject(with: task.objectID).setValue("theirs", forKey: "text")
            try theirs.save()
        }
        try mine.run { () throws in
            task.setValue("mine", forKey: "text")
            try mine.save()
            #expect(!mine.hasChanges)
        }
        // One is of the other context, and two are of the save and its retry.
        try expectEqual(stack.rows("SELECT COUNT(*) FROM ZTAG"), [[.integer(3)]])
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK"), [[.text("mine")]])
    }
}
