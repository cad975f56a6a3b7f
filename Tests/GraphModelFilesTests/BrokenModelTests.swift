// Tests broken models, which Apple's compiler refuses too: each error names file, entity, property and a remedy.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct BrokenModelTests {
    /// A broken model and its expected error.
    struct Broken: Sendable, CustomTestStringConvertible {
        var what: String
        var body: String
        var entity: String?
        var property: String?
        var reason: String
        var testDescription: String { what }
    }

    static let models: [Broken] = [
        Broken(
            what: "an unknown destination",
            body: "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"Nowhere\"/></entity>",
            entity: "A",
            property: "r",
            reason: "its destination, the entity Nowhere, is not in the model"
        ),
        Broken(
            what: "no destination",
            body: "<entity name=\"A\"><relationship name=\"r\"/></entity>",
            entity: "A",
            property: "r",
            reason: "the relationship has no destination"
        ),
        Broken(
            what: "a circle of superentities",
            body: "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
            entity: "A",
            reason: "its superentities form a circle: A -> B -> A"
        ),
        Broken(
            what: "an entity that is its own superentity",
            body: "<entity name=\"A\" parentEntity=\"A\"/>",
            entity: "A",
            reason: "its superentities form a circle: A -> A"
        ),
        Broken(
            what: "an unknown superentity",
            body: "<entity name=\"A\" parentEntity=\"Missing\"/>",
            entity: "A",
            reason: "its superentity Missing is not in the model"
        ),
        Broken(
            what: "a property twice",
            body: """
                <entity name="A">
                    <attribute name="x" attributeType="String"/><attribute name="x" attributeType="Date"/>
                </entity>
                """,
            entity: "A",
            property: "x",
            reason: "the entity has two properties of this name"
        ),
        Broken(
            what: "an inherited property declared again",
            body: """
                <entity name="A"><attribute name="x" attributeType="String"/></entity>
                <entity name="B" parentEntity="A"><attribute name="x" attributeType="String"/></entity>
                """,
            entity: "B",
            property: "x",
            reason: "the entity inherits a property of this name from A"
        ),
        Broken(
            what: "an entity twice",
            body: "<entity name=\"A\"/><entity name=\"A\"/>",
            entity: "A",
            reason: "the model has two entities of this name"
        ),
        Broken(what: "an entity without a name", body: "<entity/>", reason: "an entity has no name"),
        Broken(
            what: "a property without a name",
            body: "<entity name=\"A\"><attribute attributeType=\"String\"/></entity>",
            entity: "A",
            reason: "a property has no name"
        ),
        Broken(
            what: "an unknown attribute type",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Money\"/></entity>",
            entity: "A",
            property: "x",
            reason: "the attribute type \"Money\" does not exist"
        ),
        Broken(
            what: "a derived attribute without an expression",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\" derived=\"YES\"/></entity>",
            entity: "A",
            property: "x",
            reason: "the attribute is derived, but has no derivation expression"
        ),
        Broken(
            what: "an unknown composite type",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"P\"/></entity>",
            entity: "A",
            property: "x",
            reason: "its composite type P is not in the model"
        ),
        Broken(
            what: "composite types inside each other",
            body: """
                <entity name="A"><attribute name="x" attributeType="Composite" composite="P"/></entity>
                <composite name="P"><attribute name="p" attributeType="Composite" composite="P"/></composite>
                """,
            entity: "A",
            property: "x",
            reason: "its composite types contain each other: P -> P"
        ),
        Broken(
            what: "a constraint over an unknown property",
            body: """
                <entity name="A"><uniquenessConstraints><uniquenessConstraint><constraint value="x"/>
                </uniquenessConstraint></uniquenessConstraints></entity>
                """,
            entity: "A",
            property: "x",
            reason: "a uniqueness constraint names this property"
        ),
    ]

    @Test(arguments: models)
    func aBrokenModelIsRefusedWithItsPlaceAndARemedy(broken: Broken) throws {
        let error = try #require(throws: ModelFileError.self) { try ModelText.read(broken.body) }
        expectEqual(error.file, "Test.xcdatamodel/contents")
        expectEqual(error.entity, broken.entity)
        expectEqual(error.property, broken.property)
        #expect(error.reason.hasPrefix(broken.reason), "\(error.reason)")
        #expect(error.reason.contains(". "), "A remedy follows the cause: \(error.reason)")
        #expect(error.description.hasPrefix("Test.xcdatamodel/contents: "))
    }

    @Test func oneErrorNamesEverythingThatIsWrong() throws {
        let error = try #require(throws: ModelFileError.self) {
            try ModelText.read(
                """
                <entity name="A" parentEntity="Missing"><attribute name="x" attributeType="Money"/></entity>
                <entity name="A"/>
                """
            )
        }
        expectEqual(error.problems.map(\.kind), [.unknownAttributeType, .duplicateEntity, .unknownSuperentity])
        expectEqual(error.description.split(separator: "\n").count, 3)
    }

    @Test func aModelBuiltInCodeIsCheckedInTheSameWay() {
        let model = Model(entities: [
            Entity(
                name: "A",
                properties: [
                    .relationship(Relationship(common: PropertyCommon(name: "r"), destinationEntityName: "B"))
                ]
            )
        ])
        expectEqual(model.problems().map(\.kind), [.unknownDestination])
        #expect(Model().problems().isEmpty)
    }

    @Test(arguments: [
        ("", "the file is empty"),
        ("hello", "this is not XML"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "this is a pointer of Git LFS"),
        ("<model><entity></model>", "this is not XML"),
        ("<plist version=\"1.0\"><dict/></plist>", "this is not a Core Data model: the XML begins with <plist>"),
        ("<model type=\"com.example.Other\"/>", "this is not a Core Data model: its type is com.example.Other"),
        ("bplist00\u{1}", "the archive is damaged"),
        ("momv2$", "this is the optimized copy of a compiled model (.omo)"),
        ("SQLite format 3\0", "this is a store, not a model"),
    ])
    func aTextThatIsNotAModelIsRefused(text: String, reason: String) throws {
        let error = try #require(throws: ModelFileError.self) {
            try ModelFile.readModel(Data(text.utf8), file: "x")
        }
        #expect(error.reason.hasPrefix(reason), "\(error.reason)")
    }

    @Test func aModelCutOffAnywhereIsRefused() throws {
        let text = ModelText.model(
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\"/></entity>"
        )
        let bytes = Data(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: ModelFileError.self, "cut at \(length)") {
                try ModelFile.readModel(contents: bytes.prefix(length), file: "x")
            }
        }
        try expectEqual(ModelFile.readModel(contents: bytes, file: "x").entities.count, 1)
    }
}
