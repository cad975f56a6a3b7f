// Tests models with flaws that Apple's compiler accepts and that were shipped: each is read with the same outcome as by
// Apple's compiler, and the flaw is a finding with the expected level and position.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct LenientModelTests {
    /// A model with a flaw, the expected finding, and a check of the model that was read.
    struct Lenient: Sendable, CustomTestStringConvertible {
        var what: String
        var body: String
        var level = ModelProblem.Level.warning
        var entity: String?
        var property: String?
        var reason: String
        var outcome: @Sendable (Model) -> Bool
        var testDescription: String { what }
    }

    // MARK: Default values

    private static func attribute(
        _ type: String,
        _ text: String,
        is value: DefaultValue?,
        level: ModelProblem.Level = .warning,
        _ reason: String
    ) -> Lenient {
        Lenient(
            what: "the default \"\(text)\" of \(type)",
            body:
                "<entity name=\"A\"><attribute name=\"x\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/></entity>",
            level: level,
            entity: "A",
            property: "x",
            reason: "its default value \"\(text)\" is not \(reason)"
        ) { $0.entities.first?.attributes.first?.defaultValue == value }
    }

    static let defaults: [Lenient] = [
        attribute("Integer 16", "NO", is: .integer(0), "a whole number from -32768 to 32767 and counts as 0"),
        attribute("Integer 32", "YES", is: .integer(0), "a whole number from"),
        attribute("Integer 64", "NO", is: .integer(0), "a whole number from"),
        attribute("Integer 64", "12 apples", is: .integer(12), "a whole number from"),
        attribute("Integer 32", "-1.75", is: .integer(-1), "a whole number from"),
        attribute("Integer 16", "70000", is: .integer(4464), "a whole number from -32768 to 32767 and counts as 4464"),
        attribute("Integer 64", "99999999999999999999", is: .integer(.max), "a whole number from"),
        attribute("Double", "NO", is: .double(0), "a number and counts as 0.0"),
        attribute("Float", "1,5", is: .double(1), "a number and counts as 1.0"),
        attribute("Decimal", "none", is: .decimal(0), "a decimal number and counts as 0"),
        attribute("Boolean", "0.0", is: .boolean(false), level: .note, "YES or NO and counts as NO"),
        attribute("Boolean", "2.5", is: .boolean(true), level: .note, "YES or NO and counts as YES"),
        attribute("Boolean", "maybe", is: .boolean(false), "YES or NO and counts as NO"),
        attribute("UUID", "none", is: nil, "a UUID and does not count"),
        attribute("URI", "http://[", is: nil, "a URL and does not count"),
        Lenient(
            what: "a date that is none",
            body:
                "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\" defaultDateTimeInterval=\"now\"/></entity>",
            entity: "A",
            property: "x",
            reason: "defaultDateTimeInterval is \"now\", which is not a number and does not count"
        ) { $0.entities.first?.attributes.first?.defaultValue == nil },
    ]

    // MARK: Relationships

    private static func relationship(_ model: Model, _ entity: String, _ name: String) -> Relationship? {
        model.entity(named: entity)?.relationships.first { $0.name == name }
    }

    static let relationships: [Lenient] = [
        Lenient(
            what: "an inverse that does not exist",
            body: """
                <entity name="A"><relationship name="r" destinationEntity="B" inverseName="back"/></entity>
                <entity name="B"/>
                """,
            entity: "A",
            property: "r",
            reason: "its inverse B.back is not a relationship of the model, so that it has none"
        ) { relationship($0, "A", "r")?.inverseName == nil },
        Lenient(
            what: "an inverse that is an attribute",
            body: """
                <entity name="A"><relationship name="r" destinationEntity="B" inverseName="back"/></entity>
                <entity name="B"><attribute name="back" attributeType="String"/></entity>
                """,
            entity: "A",
            property: "r",
            reason: "its inverse B.back is not a relationship of the model"
        ) { relationship($0, "A", "r")?.inverseName == nil },
        Lenient(
            what: "an inverse that names no inverse",
            body: """
                <entity name="A"><relationship name="r" destinationEntity="B" inverseName="back"/></entity>
                <entity name="B"><relationship name="back" destinationEntity="A"/></entity>
                """,
            entity: "A",
            property: "r",
            reason: "its inverse B.back does not point back: that one names no relationship"
        ) { relationship($0, "A", "r")?.inverseName == "back" && relationship($0, "B", "back")?.inverseName == nil },
        Lenient(
            what: "an inverse that names another relationship",
            body: """
                <entity name="Image">
                    <relationship name="artist" maxCount="1" destinationEntity="Artist" inverseName="thumbnail"/>
                    <relationship name="thumbnail" maxCount="1" destinationEntity="Artist" inverseName="thumbnail"/>
                </entity>
                <entity name="Artist">
                    <relationship name="thumbnail" maxCount="1" destinationEntity="Image" inverseName="thumbnail"/>
                </entity>
                """,
            entity: "Image",
            property: "artist",
            reason: "its inverse Artist.thumbnail does not point back: that one names Image.thumbnail"
        ) { relationship($0, "Image", "artist")?.inverseName == "thumbnail" },
        Lenient(
            what: "an inverse that leads to another entity",
            body: """
                <entity name="A"><relationship name="r" destinationEntity="B" inverseName="back"/></entity>
                <entity name="B"><relationship name="back" destinationEntity="C" inverseName="r"/></entity>
                <entity name="C"><relationship name="r" destinationEntity="B" inverseName="back"/></entity>
                """,
            entity: "A",
            property: "r",
            reason: "its inverse B.back does not point back: that one names C.r"
        ) { model in
            relationship(model, "A", "r")?.inverseName == "back"
                && relationship(model.withLinkableInverses(), "A", "r")?.inverseName == nil
                && relationship(model.withLinkableInverses(), "C", "r")?.inverseName == "back"
        },
        Lenient(
            what: "an inverse entity without an inverse",
            body: "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" inverseEntity=\"A\"/></entity>",
            level: .note,
            entity: "A",
            property: "r",
            reason: "the relationship names A as the entity of its inverse, but no inverse, and has none"
        ) { relationship($0, "A", "r")?.inverseName == nil },
        Lenient(
            what: "counts that exclude each other",
            body: """
                <entity name="A">
                    <relationship name="r" destinationEntity="A" toMany="YES" minCount="3" maxCount="2"/>
                </entity>
                """,
            entity: "A",
            property: "r",
            reason: "its minimum count 3 is above its maximum count 2"
        ) { relationship($0, "A", "r")?.minCount == 3 && relationship($0, "A", "r")?.maxCount == 2 },
        Lenient(
            what: "a count that is not a number",
            body:
                "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" maxCount=\"1\" minCount=\"?\"/></entity>",
            entity: "A",
            property: "r",
            reason: "minCount is \"?\", which is not a whole number and counts as 0"
        ) { relationship($0, "A", "r")?.minCount == 0 },
        Lenient(
            what: "an unknown delete rule",
            body:
                "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Explode\"/></entity>",
            entity: "A",
            property: "r",
            reason: "deletionRule is \"Explode\", which does not exist and counts as Nullify"
        ) { relationship($0, "A", "r")?.deleteRule == .nullify },
    ]

    // MARK: Other flaws

    static let others: [Lenient] = [
        Lenient(
            what: "a flag that is none",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" optional=\"perhaps\"/></entity>",
            entity: "A",
            property: "x",
            reason: "optional is \"perhaps\", which is not a flag and counts as NO"
        ) { $0.entities.first?.attributes.first?.common.isOptional == false },
        Lenient(
            what: "a pattern that is none",
            body:
                "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" regularExpressionString=\"(\"/></entity>",
            entity: "A",
            property: "x",
            reason: "its regular expression \"(\" cannot be read and is not checked"
        ) { $0.entities.first?.attributes.first?.common.validations.isEmpty == true },
        Lenient(
            what: "a limit that is not a number",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Double\" maxValueString=\"1,5\"/></entity>",
            entity: "A",
            property: "x",
            reason: "maxValueString is \"1,5\", which is not a number and limits nothing"
        ) { $0.entities.first?.attributes.first?.common.validations.isEmpty == true },
        Lenient(
            what: "a length that is none",
            body: "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" minValueString=\"-1\"/></entity>",
            entity: "A",
            property: "x",
            reason: "minValueString is \"-1\", which is not the length of a string and limits nothing"
        ) { $0.entities.first?.attributes.first?.common.validations.isEmpty == true },
        Lenient(
            what: "a fetched property without a request",
            body: "<entity name=\"A\"><fetchedProperty name=\"f\"/></entity>",
            entity: "A",
            property: "f",
            reason: "the fetched property has no fetch request and stays empty"
        ) { $0.entities.first?.fetchedProperties.first?.request.entityName == "" },
        Lenient(
            what: "a fetched property of an unknown entity",
            body:
                "<entity name=\"A\"><fetchedProperty name=\"f\"><fetchRequest entity=\"Z\"/></fetchedProperty></entity>",
            entity: "A",
            property: "f",
            reason: "the fetched property fetches the entity Z, which is not in the model, and stays empty"
        ) { $0.entities.first?.fetchedProperties.first?.request.entityName == "Z" },
        Lenient(
            what: "an index over an unknown property",
            body: "<entity name=\"A\"><fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex></entity>",
            entity: "A",
            property: "x",
            reason: "the fetch index i names this property, which the entity does not have, and is not made"
        ) { $0.entities.first?.indexes.isEmpty == true },
        Lenient(
            what: "an index of nothing",
            body:
                "<entity name=\"A\"><fetchIndex name=\"i\"><fetchIndexElement type=\"Binary\"/></fetchIndex></entity>",
            entity: "A",
            reason: "the fetch index i has an element without a property or an expression, and is not made"
        ) { $0.entities.first?.indexes.isEmpty == true },
        Lenient(
            what: "a compound index over an unknown property",
            body: """
                <entity name="A"><compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes></entity>
                """,
            entity: "A",
            property: "x",
            reason: "a compound index names this property, which the entity does not have, and is not made"
        ) { $0.entities.first?.compoundIndexes.isEmpty == true },
        Lenient(
            what: "a template of an unknown entity",
            body: "<entity name=\"A\"/><fetchRequest name=\"T\" entity=\"Z\"/>",
            reason: "the fetch request template T is for the entity Z"
        ) { $0.fetchRequestTemplates.map(\.name) == ["T"] },
        Lenient(
            what: "two templates of one name",
            body: """
                <entity name="A"/><fetchRequest name="T" entity="A" fetchLimit="1"/>\
                <fetchRequest name="T" entity="A" fetchLimit="2"/>
                """,
            reason: "the model has two fetch request templates named T; the last one counts"
        ) { $0.fetchRequestTemplates.map(\.fetchLimit) == [2] },
        Lenient(
            what: "a configuration with an unknown entity",
            body: """
                <entity name="A"/><configuration name="C"><memberEntity name="Z"/><memberEntity name="A"/></configuration>
                """,
            reason: "the configuration C lists the entity Z"
        ) { $0.configurations.map(\.entityNames) == [["A"]] },
        Lenient(
            what: "an unknown way to make classes",
            body: "<entity name=\"A\" codeGenerationType=\"magic\"/>",
            entity: "A",
            reason: "codeGenerationType is \"magic\", which does not exist and counts as none"
        ) { $0.entities.first?.codeGeneration == .manual },
    ]

    @Test(arguments: defaults + relationships + others)
    func aModelThatApplesCompilerAcceptsIsReadAndItsFlawIsFound(model lenient: Lenient) throws {
        let reading = try ModelFile.examine(
            Data(ModelText.model(lenient.body).utf8),
            file: "Test.xcdatamodel/contents"
        )
        let finding = try #require(reading.findings.first, "nothing was found")
        expectEqual(reading.findings.count, 1, "\(reading.findings)")
        expectEqual(finding.level, lenient.level)
        expectEqual(finding.entity, lenient.entity)
        expectEqual(finding.property, lenient.property)
        #expect(finding.reason.hasPrefix(lenient.reason), "\(finding.reason)")
        #expect(finding.reason.contains(". "), "A remedy follows the cause: \(finding.reason)")
        #expect(lenient.outcome(reading.model), "\(reading.model)")
        // Compiling and reading it back gives the same entities.
        let compiled = try ModelFile.compiled(reading.model)
        try expectEqual(
            ModelFile.readModel(compiled: compiled, file: "Test.mom").entities.count,
            reading.model.entities.count
        )
    }

    @Test func aSoundModelHasNoFindings() throws {
        let text = ModelText.model(
            "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 16\" defaultValueString=\"0.0\"/></entity>"
        )
        let reading = try ModelFile.examine(Data(text.utf8), file: "x")
        #expect(reading.findings.isEmpty)
        expectEqual(reading.model.entities.first?.attributes.first?.defaultValue, .integer(0))
    }

    @Test func aRefusedModelListsItsWarningsTooAndItsErrorIsTheFirst() throws {
        let error = try #require(throws: ModelFileError.self) {
            try ModelText.read(
                "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 16\" defaultValueString=\"NO\"/>"
                    + "<attribute name=\"y\" attributeType=\"Money\"/></entity>"
            )
        }
        expectEqual(error.property, "y")
        expectEqual(error.problems.map(\.level), [.warning, .error])
        #expect(!error.description.contains("A.x"))
    }

    @Test func aBrokenVersionIsNamedByTheErrorOfItsFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write(ModelText.model("<entity name=\"A\"/>"), to: "App.xcdatamodeld/App.xcdatamodel/contents")
        try folder.write(
            ModelText.model("<entity name=\"A\" parentEntity=\"B\"/>"),
            to: "App.xcdatamodeld/App 2.xcdatamodel/contents"
        )
        let error = try #require(throws: ModelFileError.self) {
            try ModelFile.readVersionedModel(at: folder.url.appendingPathComponent("App.xcdatamodeld"))
        }
        expectEqual(error.version, "App 2")
        let others = try ModelFile.readVersionedModel(
            at: folder.url.appendingPathComponent("App.xcdatamodeld"),
            leavesOutBroken: true
        )
        expectEqual(others.versions.map(\.name), ["App"])
        #expect(error.description.contains("version App 2: A: its superentity B is not in the model"))
    }

    /// Apple's hashes in a store show that an inverse that does not point back is hashed as declared.
    @Test func hashesCountAnInverseThatDoesNotPointBack() throws {
        let model = try ModelText.read(Self.relationships[3].body)
        let image = try #require(Self.relationship(model, "Image", "artist"))
        var without = image
        without.inverseName = nil
        #expect(Property.relationship(image).versionHash != Property.relationship(without).versionHash)
    }
}
