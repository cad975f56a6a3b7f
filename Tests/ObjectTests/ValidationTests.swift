import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct ValidationAtTheSave {
    @Test func aMissingRequiredValueIsCode1570AndNothingIsLost() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        try stack.context.run {
            let task = TestTask(context: stack.context)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, 1570)
            expectEqual(error?.userInfo["NSValidationErrorKey"] as? String, "text")
            #expect(error?.userInfo["NSValidationErrorObject"] as? NSManagedObject === task)
            expectEqual(stack.context.insertedObjects, [task])
            task.text = "now"
            try stack.context.save()
            #expect(!stack.context.hasChanges)
        }
    }

    @Test func severalErrorsComeAsOneWithDetails() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true))
        try stack.context.run {
            _ = TestTask(context: stack.context)
            _ = TestTask(context: stack.context)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, 1560)
            expectEqual((error?.userInfo["NSDetailedErrors"] as? [NSError])?.map(\.code), [1570, 1570])
        }
    }

    @Test func theClassIsAskedAfterTheModel() throws {
        let stack = try Stack()
        try stack.context.run {
            _ = stack.context.task("a", priority: 9)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.domain, "test")
        }
    }
}
