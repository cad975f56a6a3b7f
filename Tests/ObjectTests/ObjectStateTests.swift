// All flags, sets and dictionaries that describe an object, in each state of its life: one table.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ObjectStates {
    private static func model() -> NSManagedObjectModel {
        let thing = NSEntityDescription("Thing")
        let note = NSAttributeDescription("note")
        note.isTransient = true
        thing.properties = [NSAttributeDescription("name"), note]
        return NSManagedObjectModel([thing])
    }

    /// A context with a saved object named "a".
    private func saved(_ stack: Stack, parent: NSManagedObjectContext? = nil) throws
        -> (NSManagedObjectContext, NSManagedObject)
    {
        let identifier = try stack.context.performAndWait { () throws in
            let thing = try stack.context.make("Thing", "a")
            try stack.context.save()
            return thing.objectID
        }
        let context = stack.otherContext()
        if let parent { context.parent = parent }
        return (context, context.performAndWait { context.object(with: identifier) })
    }

    /// Changes or deletes the object in the first context and returns the notification of the save.
    private func saveElsewhere(_ stack: Stack, _ object: NSManagedObject, _ change: (NSManagedObject) -> Void) throws
        -> Notification
    {
        let heard = Heard()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: stack.context,
            queue: nil
        ) { heard.note = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try stack.context.performAndWait { () throws in
            change(stack.context.object(with: object.objectID))
            try stack.context.save()
        }
        return try #require(heard.note)
    }

    private final class Heard: @unchecked Sendable { var note: Notification? }
    private typealias Row = ObjectStateTable.Row

    @Test func newObjectsShowTheirState() throws {
        let stack = try Stack(model: Self.model())
        let context = stack.context
        var table = ObjectStateTable()
        try context.performAndWait { () throws in
            let entity = try #require(Self.entity(stack))
            table.note("without a context", NSManagedObject(entity: entity, insertInto: nil), nil)
            let thing = try context.make("Thing", "a")
            table.note("inserted", thing, context)
            context.processPendingChanges()
            table.note("inserted, event over", thing, context)
            thing.setValue("b", forKey: "name")
            table.note("inserted, changed in a later event", thing, context)
            try context.save()
            table.note("saved", thing, context)
            let gone = try context.make("Thing", "x")
            context.delete(gone)
            context.processPendingChanges()
            table.note("inserted and deleted, event over", gone, context)
            let inserted = try context.make("Thing", "y")
            context.rollback()
            table.note("insertion rolled back", inserted, context)
            let dropped = try context.make("Thing", "z")
            context.refresh(dropped, mergeChanges: false)
            table.note("new, refreshed without its changes", dropped, context)
            table.note("the same, read", dropped, context)
            try context.save()
            table.note("the same, saved", dropped, context)
            let forgotten = try context.make("Thing", "w")
            context.reset()
            table.note("new, after a reset", forgotten, context)
        }
        let difference = table.difference(from: [
            Row("without a context", "t", "", "", "nil", ""),
            Row("inserted", "ihpct", "name", "name", "none", "IR+"),
            Row("inserted, event over", "ihpct", "name", "", "none", "IR+"),
            Row("inserted, changed in a later event", "ihpct", "name", "name", "none", "IR+"),
            Row("saved", "c", "", "", "b", "R"),
            Row("inserted and deleted, event over", "dt", "", "", "nil", ""),
            Row("insertion rolled back", "t", "", "", "nil", ""),
            Row("new, refreshed without its changes", "fct", "", "", "nil", "R"),
            Row("the same, read", "dhct", "", "", "nil", "DR+"),
            Row("the same, saved", "ft", "", "", "nil", ""),
            Row("new, after a reset", "ft", "", "", "nil", ""),
        ])
        expectNil(difference, "\n\(difference ?? "")")
    }

    private static func entity(_ stack: Stack) -> NSEntityDescription? {
        stack.coordinator.managedObjectModel.entitiesByName["Thing"]
    }

    @Test func changedObjectsShowTheirState() throws {
        let stack = try Stack(model: Self.model())
        let (context, thing) = try saved(stack)
        var table = ObjectStateTable()
        try context.performAndWait { () throws in
            table.note("fault", thing, context)
            table.note("fired", thing, context)
            thing.setValue("b", forKey: "name")
            table.note("changed", thing, context)
            context.processPendingChanges()
            table.note("changed, event over", thing, context)
            context.refresh(thing, mergeChanges: true)
            table.note("changed, refreshed with its changes", thing, context)
            thing.setValue("a", forKey: "name")
            context.processPendingChanges()
            table.note("changed and back", thing, context)
            try context.save()
            table.note("changed and back, saved", thing, context)
            thing.setValue("n", forKey: "note")
            table.note("transient changed", thing, context)
            try context.save()
            table.note("transient saved", thing, context)
            thing.setPrimitiveValue("p", forKey: "name")
            table.note("primitive value set", thing, context)
            context.refresh(thing, mergeChanges: false)
            thing.setValue("b", forKey: "name")
            context.rollback()
            table.note("change rolled back", thing, context)
            context.refresh(thing, mergeChanges: true)
            table.note("unchanged, refreshed with its changes", thing, context)
            thing.setValue("b", forKey: "name")
            context.refresh(thing, mergeChanges: false)
            table.note("changed, refreshed without its changes", thing, context)
            context.undoManager = UndoManager()
            context.undoManager?.groupsByEvent = false
            context.undoManager?.beginUndoGrouping()
            thing.setValue("b", forKey: "name")
            context.processPendingChanges()
            context.undoManager?.endUndoGrouping()
            context.undo()
            table.note("change undone", thing, context)
            context.redo()
            table.note("change redone", thing, context)
            context.undoManager = nil
            context.reset()
            table.note("changed, after a reset", thing, context)
        }
        let difference = table.difference(from: [
            Row("fault", "fc", "", "", "a", "R"),
            Row("fired", "c", "", "", "a", "R"),
            Row("changed", "uhpc", "name", "name", "a", "UR+"),
            Row("changed, event over", "uhpc", "name", "", "a", "UR+"),
            Row("changed, refreshed with its changes", "uhpc", "name", "", "a", "UR+"),
            Row("changed and back", "uhc", "", "", "a", "UR+"),
            Row("changed and back, saved", "c", "", "", "a", "R"),
            Row("transient changed", "uhc", "", "", "a", "UR+"),
            Row("transient saved", "c", "", "", "a", "R"),
            Row("primitive value set", "pc", "", "", "a", "R"),
            Row("change rolled back", "c", "", "", "a", "R"),
            Row("unchanged, refreshed with its changes", "fc", "", "", "a", "R"),
            Row("changed, refreshed without its changes", "fc", "", "", "a", "R"),
            Row("change undone", "c", "", "", "a", "R"),
            Row("change redone", "uhpc", "name", "", "a", "UR+"),
            Row("changed, after a reset", "f", "", "", "nil", ""),
        ])
        expectNil(difference, "\n\(difference ?? "")")
    }

    @Test func deletedObjectsShowTheirState() throws {
        let stack = try Stack(model: Self.model())
        var table = ObjectStateTable()
        let (context, thing) = try saved(stack)
        try context.performAndWait { () throws in
            thing.setValue("b", forKey: "name")
            context.delete(thing)
            table.note("changed and deleted", thing, context)
            context.processPendingChanges()
            table.note("deleted, event over", thing, context)
            context.rollback()
            table.note("deletion rolled back", thing, context)
            context.undoManager = UndoManager()
            context.undoManager?.groupsByEvent = false
            context.undoManager?.beginUndoGrouping()
            context.delete(thing)
            context.processPendingChanges()
            context.undoManager?.endUndoGrouping()
            context.undo()
            table.note("deletion undone", thing, context)
            context.undoManager = nil
            context.delete(thing)
            try context.save()
            table.note("deleted and saved", thing, context)
        }
        let (other, merged) = try saved(stack)
        let note = try saveElsewhere(stack, merged) { $0.managedObjectContext?.delete($0) }
        try other.performAndWait { () throws in
            other.mergeChanges(fromContextDidSave: note)
            table.note("deletion merged into a fault", merged, other)
            try other.save()
            table.note("the same, saved", merged, other)
        }
        let (third, orphan) = try saved(stack)
        _ = try saveElsewhere(stack, orphan) { $0.managedObjectContext?.delete($0) }
        try third.performAndWait { () throws in
            expectNil(orphan.value(forKey: "name"))
            table.note("read without a row", orphan, third)
            third.processPendingChanges()
            table.note("read without a row, event over", orphan, third)
            try third.save()
            table.note("read without a row, saved", orphan, third)
        }
        let difference = table.difference(from: [
            Row("changed and deleted", "dhpc", "name", "name", "a", "DR+"),
            Row("deleted, event over", "dhpc", "name", "", "a", "DR+"),
            Row("deletion rolled back", "c", "", "", "a", "R"),
            Row("deletion undone", "c", "", "", "a", "R"),
            Row("deleted and saved", "f", "", "", "nil", ""),
            Row("deletion merged into a fault", "dfhc", "", "", "nil", "DR+"),
            Row("the same, saved", "f", "", "", "nil", ""),
            Row("read without a row", "dhc", "", "", "nil", "DR+"),
            Row("read without a row, event over", "dhc", "", "", "nil", "DR+"),
            Row("read without a row, saved", "f", "", "", "nil", ""),
        ])
        expectNil(difference, "\n\(difference ?? "")")
    }

    @Test func objectsOfChildrenAndMergedOnesShowTheirState() throws {
        let stack = try Stack(model: Self.model())
        var table = ObjectStateTable()
        let (context, thing) = try saved(stack)
        let note = try saveElsewhere(stack, thing) { $0.setValue("A", forKey: "name") }
        context.performAndWait {
            #expect(thing.value(forKey: "name") != nil)
            context.mergeChanges(fromContextDidSave: note)
            table.note("update merged", thing, context)
        }
        let parent = stack.otherContext()
        let (child, own) = try saved(stack, parent: parent)
        try child.performAndWait { () throws in
            table.note("fault in a child", own, child)
            own.setValue("b", forKey: "name")
            table.note("changed in a child", own, child)
            try child.save()
            table.note("changed in a child, saved", own, child)
            let new = try child.make("Thing", "new")
            try child.save()
            table.note("inserted in a child, saved", new, child)
            child.delete(own)
            try child.save()
            table.note("deleted in a child, saved", own, child)
        }
        parent.performAndWait {
            let theirs = parent.object(with: own.objectID)
            table.note("the parent's, deleted by the child", theirs, parent)
        }
        let difference = table.difference(from: [
            Row("update merged", "c", "", "", "A", "R"),
            Row("fault in a child", "fc", "", "", "a", "R"),
            Row("changed in a child", "uhpc", "name", "name", "a", "UR+"),
            Row("changed in a child, saved", "c", "", "", "b", "R"),
            Row("inserted in a child, saved", "ct", "", "", "new", "R"),
            Row("deleted in a child, saved", "f", "", "", "nil", ""),
            Row("the parent's, deleted by the child", "dhpc", "name", "", "a", "DR+"),
        ])
        expectNil(difference, "\n\(difference ?? "")")
    }
}
