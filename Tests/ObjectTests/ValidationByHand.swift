// Validation that a program requests itself, of single values and of whole objects.
import ExpectationSupport
import Foundation
import ManagedGraph
import Synchronization
import Testing

@testable import StackSupport

struct ValidationByHand {
    @Test func anObjectJudgesValuesAndItself() throws {
        let stack = try Stack(model: TasksModel.make(requiredText: true, tasksRule: .denyDeleteRule))
        try stack.context.run { () throws in
            let task = TestTask(context: stack.context)
            var value: Any? = nil
            let missing = #expect(throws: NSError.self) { try task.validateValue(&value, forKey: "text") }
            expectEqual(missing?.code, NSValidationMissingMandatoryPropertyError)
            value = "text"
            try task.validateValue(&value, forKey: "text")
            #expect(throws: NSError.self) { try task.validateForUpdate() }
            task.text = "a"
            try task.validateForUpdate()
            let place = TestLocation(context: stack.context)
            task.location = place
            let denied = #expect(throws: NSError.self) { try place.validateForDelete() }
            expectEqual(denied?.code, NSValidationRelationshipDeniedDeleteError)
            task.location = nil
            try place.validateForDelete()
        }
    }
}
