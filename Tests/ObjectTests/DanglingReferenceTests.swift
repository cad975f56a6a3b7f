// Relationships set to deleted objects: the save rejects them, wherever the relationship is stored.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct DanglingReferences {
    private static let shapes: [String] = [
        "to one", "required to one", "to many", "ordered", "join table", "one-sided",
    ]

    private func stack(_ shape: String) throws -> Stack {
        switch shape {
        case "required to one":
            try Stack(model: RelationsModel.make((.many("Firm.staff"), .one("Man.firm", optional: false))))
        case "ordered":
            try Stack(model: RelationsModel.make((.many("Firm.staff", ordered: true), .one("Man.firm"))))
        case "join table":
            try Stack(model: RelationsModel.make((.many("Firm.staff"), .many("Man.firm"))))
        case "one-sided":
            try Stack(model: RelationsModel.make(oneWay: [(.one("Man.firm"), to: "Firm")]))
        default:
            try Stack(model: RelationsModel.make((.many("Firm.staff"), .one("Man.firm"))))
        }
    }

    private func relate(_ shape: String, _ man: NSManagedObject, _ firm: NSManagedObject) {
        switch shape {
        case "to many", "ordered", "join table": man.mutableCollection("firm", firm, inverse: "staff")
        default: man.setValue(firm, forKey: "firm")
        }
    }

    private func expectDangling(_ error: NSError?, _ destination: NSManagedObject) {
        let errors = (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error].compactMap(\.self))
        #expect(!errors.isEmpty)
        for error in errors {
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSManagedObjectValidationError)
            #expect(error.localizedDescription.contains("dangling reference to an invalid object"))
            #expect(error.userInfo["Dangling reference to an invalid object."] is NSNull)
            #expect(error.userInfo[NSValidationKeyErrorKey] is String)
            #expect(error.userInfo[NSValidationObjectErrorKey] is NSManagedObject)
            #expect(error.userInfo[NSValidationValueErrorKey] != nil)
            expectEqual(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject], [destination])
        }
    }

    @Test(arguments: shapes, [false, true])
    func aRelationshipToAnObjectThatTheSaveDeletesIsRefused(shape: String, isNew: Bool) throws {
        let stack = try stack(shape)
        let context = stack.context
        try context.performAndWait { () throws in
            let (first, second) = (try context.make("Firm", "f"), try context.make("Firm", "g"))
            var man = try context.make("Man", "m")
            relate(shape, man, second)
            try context.save()
            context.delete(first)
            context.processPendingChanges()
            if isNew { man = try context.make("Man", "n") }
            relate(shape, man, first)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectDangling(error, first)
            #expect(context.hasChanges && !first.isFault)
            // The remedy in the error.
            switch shape {
            case "to many", "ordered", "join table":
                man.mutableSetOrOrderedSet("firm", remove: first)
                if shape == "join table" { relate(shape, man, second) }
            default: man.setValue(second, forKey: "firm")
            }
            try context.save()
            #expect(!context.hasChanges)
        }
        let fresh = stack.otherContext()
        try fresh.performAndWait { () throws in
            try expectEqual(fresh.fetch(NSFetchRequest<NSManagedObject>(entityName: "Firm")).map(\.label), ["g"])
            for man in try fresh.fetch(NSFetchRequest<NSManagedObject>(entityName: "Man")) {
                #expect(["", "g"].contains(man.joinedNames("firm")))
            }
        }
    }

    @Test func aRelationshipThatWillSaveSetsToADeletedObjectIsRefused() throws {
        let stack = try Stack()
        let context = stack.context
        try context.performAndWait { () throws in
            let place = TestLocation(context: context)
            let task = context.task("t")
            try context.save()
            context.delete(place)
            task.text = "u"
            task.onWillSave = { if $0.location == nil { $0.location = place } }
            let error = #expect(throws: NSError.self) { try context.save() }
            expectDangling(error, place)
            task.onWillSave = nil
            task.location = nil
            try context.save()
        }
        try expectEqual(stack.rows("SELECT ZLOCATION FROM ZTASK"), [[.null]])
    }

    @Test func severalDanglingReferencesAreReportedTogether() throws {
        let stack = try Stack()
        let context = stack.context
        try context.performAndWait { () throws in
            let place = TestLocation(context: context)
            try context.save()
            context.delete(place)
            context.processPendingChanges()
            for text in ["a", "b"] { context.task(text).location = place }
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSValidationMultipleErrorsError)
            expectEqual((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count, 2)
            expectDangling(error, place)
        }
    }

    @Test func aChildsDanglingReferenceDoesNotReachItsParent() throws {
        let stack = try Stack()
        let child = stack.context.makeChild()
        try stack.context.performAndWait { () throws in
            _ = TestLocation(context: stack.context)
            try stack.context.save()
        }
        try child.performAndWait { () throws in
            let place = try #require(try child.fetch(NSFetchRequest<TestLocation>(entityName: "Location")).first)
            child.delete(place)
            child.processPendingChanges()
            child.task("t").location = place
            let error = #expect(throws: NSError.self) { try child.save() }
            expectDangling(error, place)
        }
        stack.context.performAndWait { #expect(!stack.context.hasChanges) }
    }

    /// Refreshing one side of a new relationship keeps the delete rules from reaching the other.
    @Test func aToOneRelationshipWhoseOtherSideWasRefreshedBeforeItsDeletionIsRefused() throws {
        let stack = try Stack(model: RelationsModel.make((.one("Man.badge"), .one("Badge.owner"))))
        let context = stack.context
        try context.performAndWait { () throws in
            let (man, badge) = (try context.make("Man", "m"), try context.make("Badge", "b"))
            try context.save()
            badge.setValue(man, forKey: "owner")
            context.refresh(badge, mergeChanges: false)
            context.delete(badge)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectDangling(error, badge)
            man.setValue(nil, forKey: "badge")
            try context.save()
        }
        try expectEqual(stack.rows("SELECT ZBADGE FROM ZMAN"), [[.null]])
    }

    @Test(arguments: ["to many", "ordered", "join table"])
    func aMemberThatWasRefreshedBeforeItsDeletionIsReleased(_ shape: String) throws {
        let stack = try stack(shape)
        let context = stack.context
        try context.performAndWait { () throws in
            let (firm, man) = (try context.make("Firm", "f"), try context.make("Man", "m"))
            try context.save()
            relate(shape, man, firm)
            context.refresh(man, mergeChanges: false)
            context.delete(man)
            try context.save()
            #expect(firm.joinedNames("staff").isEmpty)
        }
        #expect(try stack.stored("Firm", "f", "staff").isEmpty)
    }

    // MARK: Deleted by another context

    /// Sets a relationship in one context to an object that another context has deleted and saved.
    private func collide(
        _ shape: String,
        twoCoordinators: Bool,
        policy: NSMergePolicy,
        _ body: (NSManagedObjectContext, _ man: NSManagedObject, _ firm: NSManagedObject) throws -> Void
    ) throws -> Stack {
        let stack = try stack(shape)
        let otherStack = twoCoordinators ? try Stack(model: stack.coordinator.managedObjectModel, url: stack.url) : nil
        let (mine, theirs) = (stack.context, otherStack?.context ?? stack.otherContext())
        try theirs.performAndWait { () throws in
            _ = (try theirs.make("Firm", "f"), try theirs.make("Man", "m"))
            if shape == "required to one" {
                try theirs.find("Man", "m").setValue(try theirs.make("Firm", "g"), forKey: "firm")
            }
            try theirs.save()
        }
        let (man, firm) = try mine.performAndWait { () throws in
            let (man, firm) = (try mine.find("Man", "m"), try mine.find("Firm", "f"))
            expectEqual(man.label, "m")
            expectEqual(firm.label, "f")
            return (man, firm)
        }
        try theirs.performAndWait { () throws in
            theirs.delete(try theirs.find("Firm", "f"))
            try theirs.save()
        }
        try mine.performAndWait { () throws in
            mine.mergePolicy = policy
            relate(shape, man, firm)
            try body(mine, man, firm)
        }
        withExtendedLifetime(otherStack) {}
        return stack
    }

    @Test(arguments: shapes, [false, true])
    func aRelationshipToAnObjectThatAnotherContextHasDeletedIsAConflict(shape: String, twoCoordinators: Bool) throws {
        let stack = try collide(shape, twoCoordinators: twoCoordinators, policy: .error) { context, man, firm in
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            expectEqual(conflicts?.map(\.sourceObject), [firm])
            expectEqual(conflicts?.first?.newVersionNumber, 0)
            #expect(context.hasChanges)
        }
        let tables = try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
        if shape == "join table" {
            expectEqual(tables.count, 1)
            guard case .text(let table)? = tables.first?.first else { return }
            try expectEqual(stack.rows("SELECT count(*) FROM \(table)"), [[.integer(0)]])
        } else {
            let column = try stack.rows(
                "SELECT count(*) FROM ZMAN WHERE ZFIRM > 0 AND ZFIRM NOT IN (SELECT Z_PK FROM ZFIRM)"
            )
            expectEqual(column, [[.integer(0)]])
        }
    }

    @Test(arguments: ["to one", "to many", "ordered", "join table"], [false, true])
    func theDeletionCountsUnlessTheWholeObjectDoes(shape: String, overwrites: Bool) throws {
        let policy: NSMergePolicy = overwrites ? .overwrite : .mergeByPropertyObjectTrump
        let stack = try collide(shape, twoCoordinators: false, policy: policy) { context, man, firm in
            try context.save()
            #expect(!context.hasChanges)
            expectEqual(man.joinedNames("firm"), (overwrites ? "f" : ""))
        }
        let fresh = stack.otherContext()
        try fresh.performAndWait { () throws in
            try expectEqual(fresh.find("Man", "m").joinedNames("firm"), (overwrites ? "f" : ""))
        }
    }

    @Test func aRequiredRelationshipThatLosesItsObjectInAConflictIsNotSavedEmpty() throws {
        _ = try collide("required to one", twoCoordinators: false, policy: .mergeByPropertyStoreTrump) {
            context,
            _,
            _ in
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
            #expect(context.hasChanges)
        }
    }
}

extension NSManagedObject {
    /// Adds an object to a to-many relationship on whichever side is to-many.
    fileprivate func mutableCollection(_ key: String, _ object: NSManagedObject, inverse: String) {
        if entity.relationshipsByName[key]?.isToMany == true {
            mutableSetValue(forKey: key).add(object)
        } else if object.entity.relationshipsByName[inverse]?.isOrdered == true {
            object.mutableOrderedSetValue(forKey: inverse).add(self)
        } else {
            object.mutableSetValue(forKey: inverse).add(self)
        }
    }

    fileprivate func mutableSetOrOrderedSet(_ key: String, remove object: NSManagedObject) {
        if entity.relationshipsByName[key]?.isToMany == true {
            mutableSetValue(forKey: key).remove(object)
        } else {
            setValue(nil, forKey: key)
        }
    }
}
