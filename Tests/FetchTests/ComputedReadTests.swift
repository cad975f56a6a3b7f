// Keys that a class implements as computed properties, and properties that read their own keys.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

/// A class with computed properties, registered like generated code.
private final class Feedback: NSManagedObject {
    enum Level: Int16 { case low = 1, high }

    static let model: NSManagedObjectModel = {
        let attribute = NSAttributeDescription()
        attribute.name = "text"
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        let entity = NSEntityDescription("Feedback")
        entity.managedObjectClassName = "ComputedFeedback"
        let level = NSAttributeDescription()
        level.name = "level"
        level.attributeType = .integer16AttributeType
        level.defaultValue = 1
        let anything = NSAttributeDescription()
        anything.name = "anything"
        anything.attributeType = .transformableAttributeType
        anything.isOptional = true
        entity.properties = [attribute, level, anything]
        return NSManagedObjectModel([entity])
    }()

    static func register() {
        ManagedObjectRegistry.register(module: "ComputedReadTests") {
            ModuleRegistration(
                models: [],
                classes: [
                    ModuleRegistration.Class(
                        name: "ComputedFeedback",
                        type: Feedback.self,
                        computed: [
                            "level": { Level(rawValue: ($0.primitiveValue(forKey: "level") as? Int16) ?? 0) as Any? },
                            "anything": { _ in Level.high }, "text": { ($0 as? Feedback)?.value(forKey: "text") },
                            "first": { ($0 as? Feedback)?.value(forKey: "second") },
                            "second": { ($0 as? Feedback)?.value(forKey: "third") }, "third": { _ in 3 },
                            "hen": { ($0 as? Feedback)?.value(forKey: "egg") },
                            "egg": { ($0 as? Feedback)?.value(forKey: "hen") },
                            "twice": { object in
                                [object.value(forKey: "third"), object.value(forKey: "third")].compactMap { $0 as? Int }
                            },
                        ]
                    )
                ]
            )
        }
    }

    static func make() throws -> (Feedback, NSManagedObjectContext) {
        register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        return (context.performAndWait { Feedback(context: context) }, context)
    }
}

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
