// The snapshots of a conflict as custom merge policies see them: with one coordinator, with two over one file, and with
// a child.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ConflictSnapshots {
    enum Arrangement: CaseIterable { case oneCoordinator, twoCoordinators }
    enum Event: CaseIterable { case changed, deleted, changedAndDeletedHere }

    let stack: Stack
    let other: Stack
    let mine: NSManagedObjectContext
    private let policy = ConflictRecordingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)

    init() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        stack = try Stack(model: model)
        other = try Stack(model: model, url: stack.url)
        mine = stack.context
        try mine.run { () throws in
            let place = TestLocation(context: mine)
            place.name = "home"
            mine.task("read", priority: 1).location = place
            try mine.save()
            mine.reset()
            mine.mergePolicy = policy
        }
    }

    private func theirs(_ arrangement: Arrangement) -> NSManagedObjectContext {
        arrangement == .oneCoordinator ? stack.otherContext() : other.context
    }

    /// The conflict of a save here after a save there, and the object.
    private func collide(_ arrangement: Arrangement, _ event: Event) throws -> (NSMergeConflict, TestTask) {
        let task = try mine.run { () throws in
            let task = try #require(try mine.tasks().first)
            _ = task.location?.name
            if event == .changedAndDeletedHere { mine.delete(task) } else { task.text = "mine" }
            return task
        }
        let theirs = theirs(arrangement)
        try theirs.run { () throws in
            let own = try #require(try theirs.tasks().first)
            if event == .deleted { theirs.delete(own) } else { own.text = "theirs" }
            try theirs.save()
        }
        try mine.run { () throws in try mine.save() }
        return (try #require(policy.versions.first), task)
    }

    @Test(arguments: Arrangement.allCases, Event.allCases)
    func eachPlaceHasItsValues(arrangement: Arrangement, event: Event) throws {
        let (conflict, task) = try collide(arrangement, event)
        expectEqual(policy.calls, [.all, .versions])
        expectEqual(policy.versions.count, 1)
        #expect(conflict.sourceObject === task)
        func text(_ snapshot: [String: Any]?) -> String? { snapshot?["text"] as? String }
        let theirs: String? = event == .deleted ? nil : "theirs"
        // | writer | objectSnapshot | cachedSnapshot | persistedSnapshot |
        // | a context of this coordinator | as read | theirs | nil |
        // | another coordinator | as read | as read | theirs |
        let expected: (String?, String?, String?) =
            switch arrangement {
            case .oneCoordinator: ("read", theirs, nil)
            case .twoCoordinators: ("read", "read", theirs)
            }
        expectEqual(text(conflict.objectSnapshot), expected.0)
        expectEqual(text(conflict.cachedSnapshot), expected.1)
        expectEqual(text(conflict.persistedSnapshot), expected.2)
        expectEqual((conflict.cachedSnapshot == nil), (expected.1 == nil))
        expectEqual((conflict.persistedSnapshot == nil), (expected.2 == nil))
        expectEqual(conflict.oldVersionNumber, 1)
        expectEqual(conflict.newVersionNumber, (event == .deleted ? 0 : 2))
        // "Relationship values are NSManagedObjectID references"; to-many relationships are omitted.
        let place = try #require(conflict.objectSnapshot?["location"] as? NSManagedObjectID)
        expectEqual(place.entity.name, "Location")
        expectEqual(conflict.objectSnapshot?.keys.contains("tags"), false)
        #expect(conflict.objectSnapshot?["dueDate"] is NSNull)
    }

    @Test func aPolicyThatTakesTheLatestOfBothSidesWorksWithEitherArrangement() throws {
        final class Latest: NSMergePolicy, @unchecked Sendable {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                for conflict in list {
                    let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot ?? [:]
                    let mine = conflict.sourceObject.value(forKey: "priority") as? Int ?? 0
                    let isNewer = theirs["priority"] as? Int ?? 0 > mine
                    let policy: NSMergePolicy = isNewer ? .rollback : .overwrite
                    try policy.resolve(optimisticLockingConflicts: [conflict])
                }
            }
        }
        for arrangement in Arrangement.allCases {
            for (here, there) in [(5, 6), (8, 7)] as [(Int16, Int16)] {
                mine.mergePolicy = Latest(merge: .errorMergePolicyType)
                let task = try mine.run { () throws in
                    let task = try #require(try mine.tasks().first)
                    mine.refresh(task, mergeChanges: true)
                    task.priority = here
                    return task
                }
                let theirs = theirs(arrangement)
                try theirs.run { () throws in
                    let own = try #require(try theirs.tasks().first)
                    theirs.refresh(own, mergeChanges: true)
                    own.priority = there
                    try theirs.save()
                }
                try mine.run { () throws in
                    try mine.save()
                    expectEqual(task.priority, max(here, there), "\(arrangement)")
                }
            }
        }
    }

    @Test func aConflictThatAProgramMakesIsSettledWithTheRowInTheStore() throws {
        try mine.run { () throws in
            let task = try #require(try mine.tasks().first)
            task.text = "mine"
            let conflict = NSMergeConflict(
                source: task,
                newVersion: 2,
                oldVersion: 1,
                cachedSnapshot: ["text": "x"],
                persistedSnapshot: ["text": "y"]
            )
            expectEqual(conflict.objectSnapshot?["text"] as? String, "mine")
            try NSMergePolicy.overwrite.resolve(optimisticLockingConflicts: [conflict])
            expectEqual(task.text, "mine")
            #expect(!task.isInserted)
            try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: [conflict])
            expectEqual(task.text, "read")
            #expect(!task.isDeleted && !mine.hasChanges)
        }
    }

    @Test(arguments: Arrangement.allCases)
    func aConstraintConflictShowsTheRowAndTheObjects(arrangement: Arrangement) throws {
        let theirs = theirs(arrangement)
        try theirs.run { () throws in
            _ = theirs.task("taken", priority: 3)
            try theirs.save()
        }
        try mine.run { () throws in
            let place = TestLocation(context: mine)
            let task = mine.task("taken", priority: 4)
            task.location = place
            try mine.save()
            expectEqual(policy.calls, [.all, .constraints])
            let conflict = try #require(policy.constraints.first)
            expectEqual(conflict.constraint, ["text"])
            expectEqual(conflict.constraintValues as? [String: String], ["text": "taken"])
            #expect(conflict.databaseObject != nil)
            expectEqual(conflict.databaseSnapshot?["priority"] as? Int, 3)
            expectEqual(conflict.conflictingObjects, [task])
            let snapshot = try #require(conflict.conflictingSnapshots.first as? [String: Any])
            expectEqual(snapshot["priority"] as? Int, 4)
            #expect(snapshot["location"] is NSManagedObjectID)
        }
    }

    @Test func objectsOfOneSaveConflictWithoutARow() throws {
        try mine.run { () throws in
            let tasks = [mine.task("same", priority: 1), mine.task("same", priority: 2)]
            try mine.save()
            let conflict = try #require(policy.constraints.first)
            expectNil(conflict.databaseObject)
            expectNil(conflict.databaseSnapshot)
            expectEqual(conflict.conflictingObjects, tasks)
            let snapshots = conflict.conflictingSnapshots as? [[String: Any]]
            expectEqual(snapshots?.map { $0["priority"] as? Int }, [1, 2])
        }
    }

    @Test func aChildCallsItsPolicyOnlyForDeletionsOfItsParent() throws {
        let child = mine.makeChild()
        child.mergePolicy = policy
        let own = try child.run { () throws in
            let own = try #require(try child.tasks().first)
            own.text = "child"
            return own
        }
        try mine.run { () throws in try mine.tasks().first?.text = "parent" }
        try child.run { () throws in
            try child.save()
            #expect(policy.calls.isEmpty)
            own.text = "again"
        }
        try mine.run { () throws in
            mine.delete(try #require(try mine.tasks().first))
            mine.processPendingChanges()
        }
        try child.run { () throws in
            try child.save()
            let conflict = try #require(policy.versions.first)
            expectEqual(conflict.objectSnapshot?["text"] as? String, "child")
            expectNil(conflict.cachedSnapshot)
            expectNil(conflict.persistedSnapshot)
            expectEqual(conflict.newVersionNumber, 0)
            #expect(!own.isDeleted)
            expectNil(own.managedObjectContext)
            #expect(!child.hasChanges)
        }
    }

    // MARK: Errors

    // "save returns with an error that contains the object IDs of the objects that had conflicts (NSInsertedObjectsKey,
    // NSUpdatedObjectsKey)"
    @Test func theErrorOfAConflictHasTheIdentifiersOfItsObjects() throws {
        mine.mergePolicy = NSMergePolicy.error
        let error = #expect(throws: NSError.self) { try collide(.oneCoordinator, .changed) }
        try mine.run { () throws in
            let task = try #require(mine.updatedObjects.first)
            expectEqual(error?.code, NSManagedObjectMergeError)
            expectEqual(error?.userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObjectID>, [task.objectID])
            expectNil(error?.userInfo[NSInsertedObjectsKey])
            expectEqual(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject], [task])
            #expect(error?.userInfo["conflictList"] is [NSMergeConflict])
            mine.rollback()
            mine.refresh(task, mergeChanges: false)
            let new = mine.task("new")
            let changed = mine.task("changed")
            try mine.save()
            changed.text = "new"
            let inserted = mine.task("new")
            let second = #expect(throws: NSError.self) { try mine.save() }
            expectEqual(second?.code, NSManagedObjectConstraintMergeError)
            expectEqual(second?.userInfo[NSInsertedObjectsKey] as? Set<NSManagedObjectID>, [inserted.objectID])
            expectEqual(second?.userInfo[NSUpdatedObjectsKey] as? Set<NSManagedObjectID>, [changed.objectID])
            #expect(second?.userInfo["conflictList"] is [NSConstraintConflict])
            withExtendedLifetime(new) {}
        }
    }
}
