// Errors of the program's own types, thrown by methods that a save calls, reach the caller of the save unchanged.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct ThrownErrors {
    private static func stack() throws -> Stack {
        let model = TasksModel.make(requiredText: true)
        model.entitiesByName["Task"]?.managedObjectClassName = NSStringFromClass(RejectingTask.self)
        return try Stack(model: model)
    }

    private static func insert(_ texts: [String], into context: NSManagedObjectContext) {
        for text in texts {
            NSEntityDescription.insertNewObject(forEntityName: "Task", into: context).setValue(text, forKey: "text")
        }
    }

    @Test(arguments: [("reject", RejectingTask.Rejection.object("reject")), ("bad", .text)])
    func oneErrorKeepsItsType(text: String, expected: RejectingTask.Rejection) throws {
        let stack = try Self.stack()
        try stack.context.run { () throws in
            Self.insert(["good", text], into: stack.context)
            let error = #expect(throws: RejectingTask.Rejection.self) { try stack.context.save() }
            expectEqual(error, expected)
        }
    }

    @Test func severalErrorsAreAList() throws {
        let stack = try Self.stack()
        try stack.context.run { () throws in
            Self.insert(["reject 1", "reject 2"], into: stack.context)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSValidationMultipleErrorsError)
            expectEqual((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count, 2)
        }
    }
}
