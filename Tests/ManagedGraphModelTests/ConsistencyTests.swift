import ExpectationSupport
import Foundation
import GraphModel
import GraphSupport
import ManagedGraph
import Testing

@Suite("Invalid models")
struct ConsistencyTests {
    private func defect(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A valid model passes")
    func sound() throws {
        try Made.people().checkConsistency()
    }

    @Test("A model created in code is refused with entity and property")
    func madeInCode() {
        let lonely = NSRelationshipDescription()
        lonely.name = "friend"
        let outside = NSEntityDescription("Outside")
        let cases: [(NSManagedObjectModel, String)] = [
            (NSManagedObjectModel([NSEntityDescription()]), "an entity has no name"),
            (
                NSManagedObjectModel([NSEntityDescription("A"), NSEntityDescription("A")]),
                "A: the model has two entities of this name"
            ),
            (
                NSManagedObjectModel([
                    NSEntityDescription("A", [NSAttributeDescription("x"), NSAttributeDescription("x")])
                ]),
                "A.x: the entity has this property twice"
            ),
            (
                NSManagedObjectModel([NSEntityDescription("A", [NSAttributeDescription("")])]),
                "A: a property has no name"
            ),
            (NSManagedObjectModel([NSEntityDescription("A", [lonely])]), "A.friend: it has no destination"),
            (
                NSManagedObjectModel([NSEntityDescription("A", [NSRelationshipDescription("out", to: outside)])]),
                "A.out: its destination Outside is not in the model"
            ),
        ]
        for (model, expected) in cases {
            expectEqual(defect { try model.checkConsistency() }, expected)
        }
    }

    @Test("A uniqueness constraint must name an attribute")
    func uniqueness() {
        let entity = NSEntityDescription("A", [NSAttributeDescription("x")])
        entity.uniquenessConstraints = [["x", "y"]]
        let model = NSManagedObjectModel([entity])
        expectEqual(
            defect { try model.checkConsistency() },
            "A.y: a uniqueness constraint names an attribute that the entity does not have"
        )
    }

    @Test("A schema is refused with entity and property")
    func schemas() {
        func relationship(_ name: String, to destination: String, inverse: String? = nil) -> Property {
            .relationship(
                Relationship(
                    common: PropertyCommon(name: name),
                    destinationEntityName: destination,
                    inverseName: inverse
                )
            )
        }
        let badRule = PropertyCommon(name: "x", validations: [ValidationRule(predicateFormat: "SELF <=")])
        let cases: [(Model, String)] = [
            (
                Model(entities: [Entity(name: "A", properties: [relationship("r", to: "B")])]),
                "A.r: its destination B is not in the model"
            ),
            (
                Model(entities: [Entity(name: "A", properties: [relationship("r", to: "A", inverse: "s")])]),
                "A.r: its inverse A.s does not exist"
            ),
            (Model(entities: [Entity(name: "A", superentityName: "B")]), "A: its superentity B is not in the model"),
            (
                Model(entities: [
                    Entity(name: "A", superentityName: "B"), Entity(name: "B", superentityName: "A"),
                ]),
                "A: its superentities form a circle through A"
            ),
            (Model(entities: [Entity(name: "A"), Entity(name: "A")]), "A: the model has two entities of this name"),
            (
                Model(entities: [
                    Entity(
                        name: "A",
                        indexes: [FetchIndex(name: "i", elements: [FetchIndexElement(propertyName: "z")])]
                    )
                ]),
                "A.z: index i names a property that the entity does not have"
            ),
        ]
        for (schema, expected) in cases {
            expectEqual(defect { _ = try NSManagedObjectModel(schema) }, expected)
        }
        let bad = Model(entities: [
            Entity(name: "A", properties: [.attribute(Attribute(common: badRule, type: .integer16))])
        ])
        expectEqual(defect { _ = try NSManagedObjectModel(bad) }?.hasPrefix("A.x: "), true)
    }
}
