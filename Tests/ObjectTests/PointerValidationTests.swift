// Classes that override `validateValue(_:forKey:)` with the signature that Apple's method has in Swift.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct PointerValidation {
    private static func stack(_ type: NSManagedObject.Type) throws -> Stack {
        let model = TasksModel.make(requiredText: true)
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(type)
        return try Stack(model: model)
    }

    private static func task(_ text: String?, in context: NSManagedObjectContext) throws -> PinnedTask {
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(text, forKey: "text")
        return try #require(task as? PinnedTask)
    }

    @Test func aSaveCallsTheMethodForEveryProperty() throws {
        let stack = try Self.stack(PinnedTask.self)
        try stack.context.run { () throws in
            let task = try Self.task(" a ", in: stack.context)
            try stack.context.save()
            expectEqual(task.value(forKey: "text") as? String, "a")
            #expect(Set(task.asked).isSuperset(of: ["text", "priority"]))
            task.setValue("bad", forKey: "text")
            #expect(throws: PinnedTask.Failure.pin) { try stack.context.save() }
            task.setValue(nil, forKey: "text")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test func bothFormsAreCalled() throws {
        let stack = try Self.stack(ValuedPinnedTask.self)
        try stack.context.run { () throws in
            let task = try Self.task("a", in: stack.context)
            try stack.context.save()
            expectEqual(task.value(forKey: "text") as? String, "a.")
        }
    }

    @Test func aProgramChecksAnObject() throws {
        let stack = try Self.stack(PinnedTask.self)
        try stack.context.run { () throws in
            let task = try Self.task("a", in: stack.context)
            var value: AnyObject? = "  b" as AnyObject
            try task.validateValue(&value, forKey: "text")
            expectEqual(value as? String, "b")
            value = nil
            let error = #expect(throws: NSError.self) { try task.validateValue(&value, forKey: "text") }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
            let place = AutoreleasingUnsafeMutablePointer<AnyObject?>("bad" as AnyObject)
            #expect(throws: PinnedTask.Failure.pin) { try task.validateValue(place, forKey: "text") }
        }
    }

    @Test func theModelsRulesHoldForObjects() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        try stack.context.run { () throws in
            let task = stack.context.task("a")
            var value: AnyObject? = "b" as AnyObject
            try task.validateValue(&value, forKey: "text")
            expectEqual(value as? String, "b")
            var number: AnyObject? = NSNumber(value: 3)
            try task.validateValue(&number, forKey: "priority")
            expectEqual(number as? Int, 3)
        }
    }

    @Test func aPlaceIsMadeOfAVariable() throws {
        let stack = try Self.stack(PinnedTask.self)
        try stack.context.run { () throws in
            let task = try Self.task("a", in: stack.context)
            var text = " b " as AnyObject
            let place = AutoreleasingUnsafeMutablePointer<AnyObject?>(&text)
            try task.validateValue(place, forKey: "text")
            expectEqual(place.pointee as? String, "b")
            var missing: NSObject?
            let error = #expect(throws: NSError.self) {
                try task.validateValue(AutoreleasingUnsafeMutablePointer(&missing), forKey: "text")
            }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
        }
    }
}
