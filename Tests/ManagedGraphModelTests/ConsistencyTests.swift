import Foundation
import GraphModel
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
        let outside = Made.entity("Outside")
        let cases: [(NSManagedObjectModel, String)] = [
            (Made.model([NSEntityDescription()]), "an entity has no name"),
            (Made.model([Made.entity("A"), Made.entity("A")]), "A: the model has two entities of this name"),
            (
                Made.model([Made.entity("A", [Made.attribute("x"), Made.attribute("x")])]),
                "A.x: the entity has this property twice"
            ),
            (Made.model([Made.entity("A", [Made.attribute("")])]), "A: a property has no name"),
            (Made.model([Made.entity("A", [lonely])]), "A.friend: it has no destination"),
            (
                Made.model([Made.entity("A", [Made.relationship("out", to: outside)])]),
                "A.out: its destination Outside is not in the model"
            ),
        ]
        for (model, expected) in cases {
            #expect(defect { try model.checkConsistency() } == expected)
        }
    }

    @Test("A uniqueness constraint must name an attribute")
    func uniqueness() {
        let entity = Made.entity("A", [Made.attribute("x")])
        entity.uniquenessConstraints = [["x", "y"]]
        let model = Made.model([entity])
        #expect(
            defect { try model.checkConsistency() }
                == "A.y: a uniqueness constraint names an attribute that the entity does not have"
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
            #expect(defect { _ = try NSManagedObjectModel(schema) } == expected)
        }
        let bad = Model(entities: [
            Entity(name: "A", properties: [.attribute(Attribute(common: badRule, type: .integer16))])
        ])
        #expect(defect { _ = try NSManagedObjectModel(bad) }?.hasPrefix("A.x: ") == true)
    }
}
