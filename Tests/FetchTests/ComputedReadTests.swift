// Keys that a class implements as computed properties, and properties that read their own keys.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite("Keys answered by computed properties")
struct ComputedReadTests {
    @Test("A property that reads its own key gets the value in the model")
    func recursion() throws {
        let (feedback, context) = try Feedback.make()
        context.performAndWait {
            expectNil(feedback.value(forKey: "text"))
            feedback.setValue("a", forKey: "text")
            expectEqual(feedback.value(forKey: "text") as? String, "a")
            expectEqual(feedback.value(forKey: "text") as? String, "a")
        }
    }

    @Test("An enumeration is its raw value, which predicates compare, unless the attribute holds objects of any class")
    func enumerations() throws {
        let (feedback, context) = try Feedback.make()
        try context.performAndWait { () throws in
            expectEqual(feedback.value(forKey: "level") as? Int16, 1)
            expectEqual(feedback.value(forKey: "anything") as? Feedback.Level, .high)
            #expect(NSPredicate(format: "level == %d", 1).evaluate(with: feedback))
            let request = NSFetchRequest<Feedback>(entityName: "Feedback")
            request.predicate = NSPredicate(format: "level == 1 AND text == nil")
            try expectEqual(context.fetch(request).count, 1)
        }
    }

    @Test("Properties that read each other in a cycle have no value")
    func circles() throws {
        let (feedback, context) = try Feedback.make()
        context.performAndWait { #expect(feedback.value(forKey: "hen") == nil && feedback.value(forKey: "egg") == nil) }
    }

    @Test("Computed properties may read each other, and the same one twice")
    func chains() throws {
        let (feedback, context) = try Feedback.make()
        context.performAndWait {
            expectEqual(feedback.value(forKey: "first") as? Int, 3)
            expectEqual(feedback.value(forKey: "twice") as? [Int], [3, 3])
            expectEqual(feedback.value(forKey: "first") as? Int, 3)
        }
    }
}
