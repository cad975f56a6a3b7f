// Keys that a class answers by computed properties, and properties that ask for their own keys.
import Foundation
import ManagedGraph
import Testing

/// A class with computed properties, registered as generated code registers them.
private final class Feedback: NSManagedObject {
    static let model: NSManagedObjectModel = {
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        text.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Feedback"
        entity.managedObjectClassName = "ComputedFeedback"
        entity.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
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
                            "text": { ($0 as? Feedback)?.value(forKey: "text") },
                            "first": { ($0 as? Feedback)?.value(forKey: "second") },
                            "second": { ($0 as? Feedback)?.value(forKey: "third") }, "third": { _ in 3 },
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
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context.performAndWait { Feedback(context: context) }, context)
    }
}

@Suite("Keys answered by computed properties")
struct ComputedReadTests {
    @Test("A property that asks for its own key stops with a sentence, not by a stack overflow")
    func recursion() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (feedback, context) = try Feedback.make()
            _ = context.performAndWait { feedback.value(forKey: "text") as? String }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the property text of Feedback reads the value of its own key \"text\""), "\(text)")
        #expect(text.contains("Read primitiveValue(forKey: \"text\") in it, or give the property another name."))
    }

    @Test("Computed properties may ask for each other, and twice for the same")
    func chains() throws {
        let (feedback, context) = try Feedback.make()
        context.performAndWait {
            #expect(feedback.value(forKey: "first") as? Int == 3)
            #expect(feedback.value(forKey: "twice") as? [Int] == [3, 3])
            #expect(feedback.value(forKey: "first") as? Int == 3)
        }
    }
}
