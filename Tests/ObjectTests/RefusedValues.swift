// Values from outside that the model cannot hold: objects keep them, the save reports them, and nothing traps.
import ExpectationSupport
import Foundation
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

struct RefusedValues {
    private static func errors(_ error: NSError?) -> [NSError] { error.map(CoreDataError.details) ?? [] }

    private static func model(taskClass: NSManagedObject.Type) -> NSManagedObjectModel {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(taskClass)
        return model
    }

    private func task(_ stack: Stack) throws -> NSManagedObject {
        return stack.context.make("Task", ["text": "a"])
    }

    @Test func aNumberOutOfRangeIsKeptAndTheSaveReports1610() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            for (value, code) in [(100_000, 1610), (-100_000, 1620), (Int.max, 1610)] {
                task.setValue(value, forKey: "priority")
                expectEqual(task.value(forKey: "priority") as? Int, value)
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                #expect(error?.code == code && error?.userInfo[NSValidationKeyErrorKey] as? String == "priority")
                expectEqual(error?.localizedDescription.contains("Task.priority is too"), true)
                expectEqual(error?.localizedDescription.contains("\(value)"), true)
            }
            task.setValue(1e300, forKey: "priority")
            #expect(throws: NSError.self) { try stack.context.save() }
            task.priority = 7
            try stack.context.save()
            task.setValue(UInt64.max, forKey: "priority")
            #expect(throws: NSError.self) { try stack.context.save() }
            stack.context.rollback()
            expectEqual(task.priority, 7)
            #expect(!stack.context.hasChanges)
            try stack.context.save()
        }
        try expectEqual(stack.rows("SELECT ZPRIORITY FROM ZTASK"), [[.integer(7)]])
    }

    @Test func aTypedAccessorOfAWiderTypeKeepsValuesOutOfRange() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            task.setManagedValue(70_000 as Int, for: TestTask.Keys.priority)
            let priority: Int = task.managedValue(for: TestTask.Keys.priority)
            expectEqual(priority, 70_000)
            expectEqual(#expect(throws: NSError.self) { try stack.context.save() }?.code, 1610)
            task.setManagedValue(7 as Int, for: TestTask.Keys.priority)
            try stack.context.save()
        }
    }

    @Test func aValueOfAnotherTypeIs1550AtTheSaveWithEntityKeyValueAndType() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            let wrong: [(String, Any, String)] = [
                ("text", 5, "String"), ("priority", "high", "Integer 16"), ("dueDate", "tomorrow", "Date"),
                ("done", "yes", "Boolean"), ("weight", "heavy", "Double"), ("price", "dear", "Decimal"),
                ("identifier", "1", "UUID"), ("page", 1, "URI"), ("picture", "png", "Binary Data"),
                ("location", "here", "a managed object"), ("location", ["name": "here"], "a managed object"),
                ("tags", "red", "a set of managed objects"), ("tags", ["red"], "a managed object"),
                ("priority", Double.nan, "Integer 16"),
            ]
            for (key, value, expected) in wrong {
                let former = task.value(forKey: key)
                task.setValue(value, forKey: key)
                let error = #expect(throws: NSError.self, "\(key)") { try stack.context.save() }
                expectEqual(error?.code, NSManagedObjectValidationError, "\(key)")
                expectEqual(error?.userInfo[NSValidationKeyErrorKey] as? String, key)
                #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === task)
                let message = error?.localizedDescription ?? ""
                #expect(message.contains("Task.\(key) cannot hold ") && message.contains(expected), "\(message)")
                task.setValue(former, forKey: key)
            }
            try stack.context.save()
            // The same for a saved object without other changes.
            task.setValue("red", forKey: "tags")
            #expect(stack.context.hasChanges)
            expectEqual(#expect(throws: NSError.self) { try stack.context.save() }?.code, 1550)
            stack.context.rollback()
            try stack.context.save()
        }
    }

    @Test func allValuesOfAJSONThatDoNotFitAreReportedTogether() throws {
        let stack = try Stack()
        let json = #"{"text": 5, "priority": 70000, "done": true, "nope": 1, "location": "x", "dueDate": null}"#
        let values = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            task.setValuesForKeys(values)
            expectEqual(task.value(forKey: "done") as? Bool, true)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSValidationMultipleErrorsError)
            let keys = Self.errors(error).compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }
            expectEqual(Set(keys), ["text", "priority", "nope", "location"])
            for (key, value) in ["text": "b", "priority": 7, "nope": nil, "location": nil] as [String: Any?] {
                task.setValue(value, forKey: key)
            }
            try stack.context.save()
            expectEqual(task.text, "b")
            expectEqual(task.priority, 7)
        }
    }

    @Test func theThrowingSettersChangeNothingIfTheyThrow() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a", priority: 3)
            expectEqual(#expect(throws: NSError.self) { try task.setValue(validating: 5, forKey: "text") }?.code, 1550)
            expectEqual(
                #expect(throws: NSError.self) { try task.setValue(validating: 70_000, forKey: "priority") }?.code,
                1610
            )
            let unknown = #expect(throws: NSError.self) { try task.setValue(validating: 5, forKey: "prioritty") }
            expectEqual(unknown?.localizedDescription.contains("Did you mean priority?"), true)
            let error = #expect(throws: NSError.self) {
                try task.setValuesForKeys(validating: ["text": "b", "priority": "x", "nope": 1])
            }
            expectEqual(Self.errors(error).count, 2)
            expectEqual(task.text, "a")
            expectEqual(task.priority, 3)
            try task.setValuesForKeys(validating: ["text": "b", "priority": 4, "location": NSNull()])
            expectEqual(task.text, "b")
            expectEqual(task.priority, 4)
            #expect(throws: NSError.self) { try task.value(validatingKey: "nope") }
            try expectEqual(task.value(validatingKey: "text") as? String, "b")
            try expectEqual(task.value(validatingKey: "isInserted") as? Bool, true)
            try stack.context.save()
        }
    }

    @Test func aKeyWithACapitalSetsThePropertyWhoseSetterItHas() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            task.setValue("b", forKey: "Text")
            task.setValuesForKeys(["Priority": 4])
            expectEqual(task.text, "b")
            expectEqual(task.priority, 4)
            try task.setValue(validating: "c", forKey: "Text")
            expectEqual(task.text, "c")
            // A getter has the key's own name.
            expectNil(task.value(forKey: "Text"))
            #expect(throws: NSError.self) { try task.setValue(validating: "d", forKey: "TEXT") }
            try stack.context.save()
        }
    }

    @Test func anUnknownKeyReadsAsNilAndSettingItFailsTheSave() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            try stack.context.save()
            expectNil(task.value(forKey: "nope"))
            expectNil(task.primitiveValue(forKey: "nope"))
            expectNil(task["nope"])
            #expect(task.committedValues(forKeys: ["nope"]).isEmpty)
            #expect(!task.hasFault(forRelationshipNamed: "nope"))
            #expect(task.objectIDs(forRelationshipNamed: "nope").isEmpty)
            var value: Any? = 1
            #expect(throws: NSError.self) { try task.validateValue(&value, forKey: "nope") }
            for set in [
                { task.setValue(1, forKey: "nope") }, { task.setPrimitiveValue(1, forKey: "nope") },
                { task["nope"] = 1 }, { task.setValue(1, forKeyPath: "nope") },
                { task.setValue(1, forKeyPath: "text.x") },
                { task.mutableSetValue(forKey: "nope").add(1) }, { task.mutableOrderedSetValue(forKey: "nope").add(1) },
                { task.mutableSetValue(forKey: "text").add(1) }, { task.mutableOrderedSetValue(forKey: "tags").add(1) },
                { task.mutableSetValue(forKey: "tags").add("red") },
                { task.addToManaged(5, for: ManagedProperty("tags")) },
            ] {
                set()
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                expectEqual(error?.code, NSManagedObjectValidationError)
                stack.context.rollback()
                try stack.context.save()
            }
            task.setValue(1, forKey: "nope")
            task.setValue(nil, forKey: "nope")
            try stack.context.save()
        }
    }

    @Test func aClassMayTakeUndefinedKeysItself() throws {
        let stack = try Stack(model: Self.model(taskClass: LenientTask.self))
        try stack.context.run { () throws in
            let task = try task(stack)
            task.setValuesForKeys(["nope": 1, "priority": 3])
            expectEqual(task.value(forKey: "nope") as? Int, 1)
            try stack.context.save()
            expectEqual(task.value(forKey: "priority") as? Int, 3)
        }
    }

    @Test func refusedValuesThatValidationSkipsReachNeitherTheStoreNorTheParent() throws {
        let stack = try Stack(model: Self.model(taskClass: LenientTask.self))
        try stack.context.run { () throws in
            let task = try task(stack)
            task.setValue("high", forKey: "priority")
            expectEqual(#expect(throws: NSError.self) { try stack.context.save() }?.code, 1550)
            task.setValue(1, forKey: "priority")
            try stack.context.save()
        }
        let child = stack.context.makeChild()
        try child.run { () throws in
            let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: child)
            task.setValue("high", forKey: "priority")
            expectEqual(#expect(throws: NSError.self) { try child.save() }?.code, 1550)
            child.delete(task)
            try child.save()
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK"), [[.integer(1)]])
    }

    @Test func anObjectOfAnotherEntityIsReportedByTheSave() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            task.setValue(stack.context.task("b"), forKey: "location")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.localizedDescription.contains("Task.location leads to objects of Location"), true)
            task.setValue(TestLocation(context: stack.context), forKey: "location")
            try stack.context.save()
            #expect(task.location != nil)
        }
    }

    @Test func aCompositeTakesADictionaryOfItsElementsOnly() throws {
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [
            NSAttributeDescription("street"),
            NSAttributeDescription("number", .integer16AttributeType),
        ]
        let person = NSEntityDescription("Person")
        person.properties = [address]
        let model = NSManagedObjectModel([person])
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: stack.context)
            for (value, words) in [
                ("Main 7", "Person.address cannot hold"), (["town": "x"], "Person.address has no element \"town\""),
                (["street": 7], "Person.address.street cannot hold 7"),
                (["number": 70_000], "Person.address.number is too large"),
            ] as [(Any, String)] {
                #expect(throws: NSError.self) { try person.setValue(validating: value, forKey: "address") }
                person.setValue(value, forKey: "address")
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                expectEqual(error?.localizedDescription.contains(words), true, "\(error as Any)")
                person.setValue(nil, forKey: "address")
            }
            person.setValue(["street": "Main", "number": 7], forKey: "address")
            try stack.context.save()
        }
    }

    @Test func undoRestoresTheValueBeforeARefusedOne() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            stack.context.undoManager = UndoManager()
            let task = stack.context.task("a")
            try stack.context.save()
            stack.context.undoManager?.removeAllActions()
            task.setValue("high", forKey: "priority")
            stack.context.processPendingChanges()
            stack.context.undoManager?.undo()
            try stack.context.save()
            stack.context.undoManager?.redo()
            #expect(throws: NSError.self) { try stack.context.save() }
        }
    }

    @Test func aRawValueWithoutACaseReadsAsTheFirstCase() throws {
        let stack = try Stack(model: Self.model(taskClass: MoodyTask.self))
        try stack.context.run { () throws in
            let task = try #require(try task(stack) as? MoodyTask)
            task.mood = .angry
            expectEqual(task.mood, .angry)
            task.setValue("bored", forKey: "text")
            expectEqual(task.mood, .calm)
            expectEqual(task.words, [])
            let place = TestLocation(context: stack.context)
            task.setValue(place, forKey: "location")
            expectNil(task.wrongPlace)
        }
    }

    @Test func refusedValuesAreForgottenWithTheirObjects() throws {
        let model = TasksModel.make()
        let entity = try #require(model.entitiesByName["Task"])
        weak var edits: Edits?
        do {
            let task = NSManagedObject(entity: entity, insertInto: nil)
            task.setValue(1, forKey: "nope")
            edits = task.edits
            expectEqual(edits.map { ManagedGraph.RefusedValues.values(of: $0).count }, 1)
        }
        expectNil(edits)
    }

    @Test func anObjectWithRefusedValuesMayBeARefusedValue() throws {
        let model = TasksModel.make()
        let entity = try #require(model.entitiesByName["Task"])
        func object() -> NSManagedObject {
            let object = NSManagedObject(entity: entity, insertInto: nil)
            object.setValue(1, forKey: "nope")
            return object
        }
        weak var last: NSManagedObject?
        do {
            let task = object()
            // Replaced, withdrawn, and released with the task.
            for _ in 0..<2 { task.setValue(object(), forKey: "other") }
            task.setValue(nil, forKey: "other")
            let owned = object()
            task.setValue(owned, forKey: "other")
            last = owned
        }
        expectNil(last)
    }

    // MARK: Models

    @Test func theEntityOfAClassWithoutOneHasNoName() throws {
        final class Nobody: NSManagedObject {}
        expectNil(Nobody.entity().name)
        expectEqual(Nobody.fetchRequest().entityName, "")
    }

    @Test func userInfoAndTextsMayChangeWhileTheModelIsInUse() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        let model = stack.coordinator.managedObjectModel
        let property = try #require(model.entitiesByName["Task"]?.propertiesByName["text"])
        property.userInfo = ["help": "What is to be done"]
        model.entitiesByName["Task"]?.userInfo = ["icon": "check"]
        expectEqual(property.userInfo?["help"] as? String, "What is to be done")
        expectEqual(model.entitiesByName["Task"]?.userInfo?["icon"] as? String, "check")
        model.localizationDictionary = ["Property/text/Entity/Task": "The words of a task"]
        try stack.context.run { () throws in
            _ = TestTask(context: stack.context)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.localizedDescription.contains("The words of a task is required"), true)
            stack.context.rollback()
        }
    }

    @Test func aDefaultValueOfAnotherTypeGivesNil() throws {
        let entity = NSEntityDescription("Odd")
        entity.properties = [NSAttributeDescription("count", .integer16AttributeType, default: "many")]
        let model = NSManagedObjectModel([entity])
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let odd = NSEntityDescription.insertNewObject(forEntityName: "Odd", into: stack.context)
            expectNil(odd.value(forKey: "count"))
            try stack.context.save()
        }
    }

    @Test func deletingAnObjectThatAnotherContextHasDeletedDoesNothing() throws {
        let stack = try Stack()
        let other = stack.otherContext()
        try stack.context.run { () throws in
            stack.context.automaticallyMergesChangesFromParent = true
            let task = stack.context.task("a")
            try stack.context.save()
            try other.run { () throws in
                other.delete(try #require(try other.tasks().first))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [task.objectID]],
                into: [stack.context]
            )
            stack.context.processPendingChanges()
            stack.context.delete(task)
            stack.context.detectConflicts(for: task)
            try stack.context.save()
        }
    }
}
