import ExpectationSupport
import Foundation
import GraphPredicates
import GraphSupport
import Testing

@testable import ManagedGraph

@Suite("Values read slot by slot")
struct ValuePathTests {
    private static var attributes: [(String, NSAttributeType, Any)] {
        [
            ("small", .integer16AttributeType, 7), ("large", .integer64AttributeType, 1 << 40),
            ("one", .integer32AttributeType, 1), ("flag", .booleanAttributeType, true),
            ("double", .doubleAttributeType, 0.1), ("float", .floatAttributeType, Float(0.1)),
            ("date", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 1.5)),
            ("text", .stringAttributeType, "é"),
            ("uuid", .UUIDAttributeType, UUID()), ("decimal", .decimalAttributeType, NSDecimalNumber(string: "1.10")),
            ("data", .binaryDataAttributeType, Data([1, 2])),
        ]
    }

    private static func model() -> NSManagedObjectModel {
        let sample = NSEntityDescription()
        sample.name = "Sample"
        let partner = NSRelationshipDescription()
        partner.name = "partner"
        partner.destinationEntity = sample
        partner.maxCount = 1
        partner.inverseRelationship = partner
        sample.properties =
            attributes.map { name, type, _ in
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.attributeType = type
                return attribute
            } + [partner]
        let answering = NSEntityDescription()
        answering.name = "Answering"
        answering.managedObjectClassName = NSStringFromClass(AnsweringSample.self)
        sample.subentities = [answering]
        let model = NSManagedObjectModel()
        model.entities = [sample, answering]
        return model
    }

    @Test("They equal those of key-value coding, for every type, nil, relationships, and overridden keys")
    func sameAsKeyValueCoding() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        context.performAndWait {
            func make(_ entity: String, filled: Bool) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (name, _, value) in Self.attributes where filled { object.setValue(value, forKey: name) }
                return object
            }
            let objects = [
                make("Sample", filled: true), make("Answering", filled: true), make("Sample", filled: false),
                make("Sample", filled: true),
            ]
            objects[0].setValue(objects[1], forKey: "partner")
            objects[2].setValue(objects[3], forKey: "partner")
            let paths = Self.attributes.flatMap { [$0.0, "partner.\($0.0)", "partner.partner.\($0.0)"] }
            for keyPath in paths + ["partner", "self.text", "text.length", "partner.@count", "nothing"] {
                let path = ValuePath(keyPath)
                // Evaluates one path for objects of several entities, in both directions.
                for object in objects + objects.reversed() {
                    let expected = object.value(forKeyPath: keyPath)
                    expectEqual(
                        String(describing: path.evaluated(of: object)),
                        String(describing: EvaluatedValue(expected)),
                        "\(keyPath)"
                    )
                    expectEqual(path.sectionName(of: object), SectionName.text(of: expected), "\(keyPath)")
                }
            }
            expectEqual(ValuePath("partner.text").sectionName(of: objects[0]), "answered")
            expectEqual(ValuePath("flag").sectionName(of: objects[0]), "1")
        }
    }
}
