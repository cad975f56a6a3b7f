// Temporary identifiers after their objects were saved, and those of other contexts.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct TemporaryIdentifiers {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack() }

    @Test func aTemporaryIdentifierStandsForItsObjectAfterTheSave() throws {
        let (task, identifier) = try context.run { () throws in
            let task = context.task("a")
            let identifier = task.objectID
            #expect(identifier.isTemporaryID)
            try context.save()
            #expect(context.object(with: identifier) === task)
            #expect(context.registeredObject(for: identifier) === task)
            #expect(try context.existingObject(with: identifier) === task)
            #expect(task.objectID != identifier && !task.objectID.isTemporaryID)
            return (task, identifier)
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let object = try #require(other.object(with: identifier) as? TestTask)
            #expect(object.isFault)
            expectEqual(object.text, "a")
            #expect(!object.objectID.isTemporaryID)
        }
        let again = try Stack(url: stack.url)
        try again.context.run { () throws in
            try expectEqual((try again.context.existingObject(with: identifier) as? TestTask)?.text, "a")
        }
        withExtendedLifetime(task) {}
    }

    @Test func identifiersOfOneRowUnderTwoModelsAreOneElementOfASet() throws {
        let identifier = try context.run { () throws in
            let task = context.task("a")
            try context.save()
            return task.objectID
        }
        // Another coordinator migrates the store.
        try stack.coordinator.persistentStores.forEach(stack.coordinator.remove)
        let model = TasksModel.make()
        // Before the others by its name, so that the numbers of the others differ.
        let additional = NSEntityDescription()
        additional.name = "Additional"
        model.entities.append(additional)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .sqlite,
            at: stack.url,
            options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
        )
        let other = try #require(coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation()))
        expectEqual(other, identifier)
        expectEqual(Set([identifier, other]).count, 1)
    }

    // "object(with:) … never returns nil"
    @Test func aTemporaryIdentifierOfAnotherContextGivesAFaultWithoutARow() throws {
        let (task, identifier) = context.performAndWait {
            let task = context.task("unsaved")
            return (task, task.objectID)
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let object = try #require(other.object(with: identifier) as? TestTask)
            #expect(object.isFault && object.managedObjectContext === other)
            #expect(other.object(with: identifier) === object)
            #expect(throws: NSError.self) { try other.existingObject(with: identifier) }
            expectNil(object.text)
            expectEqual(object.priority, 0)
            expectNil(object.location)
            expectEqual(object.objectID, identifier)
            // No object can refer to it, and deleting it writes nothing.
            other.delete(object)
            try other.save()
            #expect(try other.tasks().isEmpty)
        }
        withExtendedLifetime(task) {}
    }

    @Test func aRelationshipToAFaultWithoutARowIsNotSaved() throws {
        let (place, identifier) = context.performAndWait {
            let place = TestLocation(context: context)
            return (place, place.objectID)
        }
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let task = other.task("t")
            task.location = other.object(with: identifier) as? TestLocation
            let error = #expect(throws: NSError.self) { try other.save() }
            expectEqual(error?.code, NSManagedObjectValidationError)
            task.location = nil
            try other.save()
        }
        withExtendedLifetime(place) {}
    }

    @Test func aFailedSaveLeavesTheTemporaryIdentifier() throws {
        try context.run { () throws in
            let task = context.task("a", priority: 9)
            let identifier = task.objectID
            #expect(throws: NSError.self) { try context.save() }
            #expect(context.object(with: identifier) === task)
            task.priority = 1
            try context.save()
            #expect(context.object(with: identifier) === task)
        }
    }

    @Test func anObtainedIdentifierIsFoundByTheTemporaryOneToo() throws {
        try context.run { () throws in
            let task = context.task("a")
            let identifier = task.objectID
            try context.obtainPermanentIDs(for: [task])
            #expect(context.object(with: identifier) === task)
            try context.save()
            #expect(context.object(with: identifier) === task)
        }
    }

    // MARK: Children

    private func child() -> NSManagedObjectContext {
        return context.makeChild()
    }

    @Test(arguments: [false, true])
    func aChildsObjectGetsItsPermanentIdentifierOnceItIsSavedToTheParent(parentHasSaved: Bool) throws {
        let child = child()
        let task = try child.run { () throws in
            let task = child.task("a")
            try child.save()
            #expect(task.objectID.isTemporaryID)
            return task
        }
        if parentHasSaved { try context.run { () throws in try context.save() } }
        let identifier = try child.run { () throws in
            try child.obtainPermanentIDs(for: [task])
            #expect(!task.objectID.isTemporaryID)
            #expect(child.object(with: task.objectID) === task)
            return task.objectID
        }
        try context.run { () throws in
            expectEqual((context.object(with: identifier) as? TestTask)?.text, "a")
            try context.save()
            try expectEqual(context.tasks().map(\.objectID), [identifier])
        }
        try child.run { () throws in
            task.text = "b"
            try child.save()
        }
        try context.run { () throws in try context.save() }
        try expectEqual(stack.rows("SELECT ZTEXT FROM ZTASK"), [[.text("b")]])
    }

    @Test func aChildFindsObjectsWhoseIdentifiersItsParentHasObtained() throws {
        let child = child()
        let (task, temporary) = context.performAndWait {
            let task = context.task("a")
            return (task, task.objectID)
        }
        let own = try child.run { () throws in
            let own = try #require(child.object(with: temporary) as? TestTask)
            expectEqual(own.text, "a")
            return own
        }
        let permanent = try context.run { () throws in
            try context.obtainPermanentIDs(for: [task])
            return task.objectID
        }
        try child.run { () throws in
            #expect(child.object(with: permanent) === own && child.object(with: temporary) === own)
            try expectEqual(child.tasks(), [own])
        }
    }

    @Test func aGrandchildsObjectGetsItsIdentifierThroughAllLevels() throws {
        let child = child()
        let grandchild = child.makeChild()
        let task = try grandchild.saveTask("deep")
        try child.run { () throws in try child.save() }
        try grandchild.run { () throws in
            try grandchild.obtainPermanentIDs(for: [task])
            #expect(!task.objectID.isTemporaryID)
        }
    }

    @Test("An identifier made without an object is equal to no other, and no context finds an object for it")
    func placeholders() throws {
        let (first, second) = (NSManagedObjectID(), NSManagedObjectID())
        #expect(first != second)
        expectEqual(first, first.copy() as? NSManagedObjectID)
        #expect(first.isTemporaryID)
        expectNil(first.persistentStore)
        #expect(first.entity.managedObjectClassName != nil)
        expectEqual(Set([first, second, first]).count, 2)
        let context = stack.context
        try context.run { () throws in
            expectNil(context.registeredObject(for: first))
            #expect(throws: NSError.self) { try context.existingObject(with: first) }
            expectNil(stack.coordinator.managedObjectID(forURIRepresentation: first.uriRepresentation()))
        }
    }
}
