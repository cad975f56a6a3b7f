// A class of ComputedReadTests.
import Foundation
import GraphSupport
import ManagedGraph

/// A class with computed properties, registered like generated code.
final class Feedback: NSManagedObject {
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
