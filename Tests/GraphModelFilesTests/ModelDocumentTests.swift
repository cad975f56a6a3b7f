// Tests the text of models: kept byte for byte, formatted as by Xcode, edited only for changes of the model.
import ExpectationSupport
import Foundation
import GraphModel
import Testing

@testable import GraphModelFiles

struct ModelDocumentTests {
    private static let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- by hand -->
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" future="1" userDefinedModelVersionIdentifier="">
            <entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class" colour="red">
                <attribute name='title'  optional = "true" attributeType="String" defaultValueString="a &lt; &quot;b&quot;" syncable="YES">
                    <userInfo>
                        <entry key="z" value="1"/>
                        <entry key="a" value="2"/>
                    </userInfo>
                </attribute>
                <attribute name="when" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
                <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder" syncable="YES"/>
                <future kind="1"/>
            </entity>
            <entity name="Folder" syncable="YES">
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="folder" inverseEntity="Note" syncable="YES"/>
            </entity>
            <elements>
                <element name="Note" positionX="-63" positionY="9" width="128" height="88"/>
                <element name="Folder" positionX="100.5" positionY="9" width="128" height="58"/>
            </elements>
        </model>
        """

    private func document() throws -> ModelDocument {
        try ModelDocument(contents: Data(Self.text.utf8), file: "Notes.xcdatamodel/contents")
    }

    /// The lines that an edit removes and adds, without leading spaces.
    private func edit(_ change: (inout Model) -> Void) throws -> (removed: [String], added: [String]) {
        var document = try document()
        var model = document.model
        change(&model)
        let losses = try document.update(to: model)
        #expect(losses.isEmpty)
        expectEqual(document.model, model)
        let read = try ModelFile.readModel(contents: document.contents, file: "")
        expectEqual(read, model)
        return Self.difference(Self.text, String(decoding: document.contents, as: UTF8.self))
    }

    private static func difference(_ old: String, _ new: String) -> (removed: [String], added: [String]) {
        let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
        let changes = new.difference(from: old)
        func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }
        return (
            changes.removals.map { if case .remove(_, let line, _) = $0 { trimmed(line) } else { "" } },
            changes.insertions.map { if case .insert(_, let line, _) = $0 { trimmed(line) } else { "" } }
        )
    }

    @Test func anUnchangedTextStaysAsItIs() throws {
        var document = try document()
        expectEqual(document.contents, Data(Self.text.utf8))
        try document.update(to: document.model)
        expectEqual(document.contents, Data(Self.text.utf8))
    }

    @Test func aChangedAttributeChangesItsLineOnly() throws {
        let (removed, added) = try edit { model in
            guard case .attribute(var attribute) = model.entities[0].properties[0] else { return }
            attribute.common.isOptional = false
            attribute.defaultValue = .string("x & y\n")
            model.entities[0].properties[0] = .attribute(attribute)
        }
        expectEqual(removed.count, 1)
        expectEqual(
            added,
            [
                "<attribute name='title' attributeType=\"String\" defaultValueString=\"x &amp; y&#10;\" syncable=\"YES\">"
            ]
        )
    }

    @Test func aNewPropertyIsAtThePlaceWhereXcodeWritesIt() throws {
        let (removed, added) = try edit { model in
            let count = Attribute(
                common: PropertyCommon(name: "count", isOptional: false),
                type: .integer32,
                defaultValue: .integer(0),
                usesScalarValue: true
            )
            model.entities[0].properties.insert(.attribute(count), at: 1)
        }
        #expect(removed.isEmpty)
        expectEqual(
            added,
            [
                "<attribute name=\"count\" attributeType=\"Integer 32\" defaultValueString=\"0\" usesScalarValueType=\"YES\" "
                    + "syncable=\"YES\"/>"
            ]
        )
    }

    @Test func aRemovedPropertyRemovesItsLinesOnly() throws {
        let (removed, added) = try edit { model in model.entities[0].properties.remove(at: 0) }
        expectEqual(removed.count, 6)
        #expect(added.isEmpty)
    }

    @Test func aRenamedEntityKeepsUnknownAttributes() throws {
        let (removed, added) = try edit { model in
            model.entities[0].name = "Memo"
            guard case .relationship(var notes) = model.entities[1].properties[0] else { return }
            notes.destinationEntityName = "Memo"
            model.entities[1].properties[0] = .relationship(notes)
        }
        expectEqual(removed.count, 3)
        expectEqual(
            added,
            [
                "<entity name=\"Memo\" representedClassName=\"Note\" syncable=\"YES\" codeGenerationType=\"class\" colour=\"red\">",
                "<relationship name=\"notes\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Cascade\" "
                    + "destinationEntity=\"Memo\" inverseName=\"folder\" inverseEntity=\"Memo\" syncable=\"YES\"/>",
                "<element name=\"Memo\" positionX=\"-63\" positionY=\"9\" width=\"128\" height=\"88\"/>",
            ]
        )
    }

    @Test func aNewEntityGetsAPlaceInTheDiagram() throws {
        let (removed, added) = try edit { model in
            model.entities.append(Entity(name: "Tag", userInfo: ["b": "1", "a": "<"]))
        }
        #expect(removed.isEmpty)
        expectEqual(
            added,
            [
                "<entity name=\"Tag\" syncable=\"YES\">", "<userInfo>", "<entry key=\"a\" value=\"&lt;\"/>",
                "<entry key=\"b\" value=\"1\"/>", "</userInfo>", "</entity>",
                "<element name=\"Tag\" positionX=\"0\" positionY=\"0\" width=\"128\" height=\"44\"/>",
            ]
        )
    }

    @Test func userInfoKeepsItsOrder() throws {
        let (removed, added) = try edit { model in
            model.entities[0].properties[0].common.userInfo["a"] = "3"
            model.entities[0].properties[0].common.userInfo["b"] = "4"
        }
        expectEqual(removed, ["<entry key=\"a\" value=\"2\"/>"])
        expectEqual(added, ["<entry key=\"a\" value=\"3\"/>", "<entry key=\"b\" value=\"4\"/>"])
    }

    @Test func anElementThatLosesItsLastChildEndsWithItsTag() throws {
        let (_, added) = try edit { model in
            model.entities[0].properties.remove(at: 2)
            model.entities[1].properties = []
        }
        expectEqual(added, ["<entity name=\"Folder\" syncable=\"YES\"/>"])
    }

    @Test func propertiesAreReordered() throws {
        var document = try document()
        var model = document.model
        model.entities[0].properties.swapAt(0, 1)
        try document.update(to: model)
        expectEqual(document.model, model)
        #expect(String(decoding: document.contents, as: UTF8.self).contains("<entry key=\"z\" value=\"1\"/>"))
        model.entities[0].properties.swapAt(0, 1)
        try document.update(to: model)
        expectEqual(document.contents, Data(Self.text.utf8))
    }

    @Test func theDiagramAndTheHeaderAreEdited() throws {
        var document = try document()
        expectEqual(document.diagram?.map(\.name), ["Note", "Folder"])
        expectEqual(document.diagram?.last?.x, 100.5)
        document.diagram?[0].x = 12
        document[header: "usedWithCloudKit"] = "YES"
        let (removed, added) = Self.difference(Self.text, String(decoding: document.contents, as: UTF8.self))
        expectEqual(removed.count, 2)
        expectEqual(
            added,
            [
                "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\" usedWithCloudKit=\"YES\" "
                    + "future=\"1\" userDefinedModelVersionIdentifier=\"\">",
                "<element name=\"Note\" positionX=\"12\" positionY=\"9\" width=\"128\" height=\"88\"/>",
            ]
        )
        document.diagram = nil
        #expect(!String(decoding: document.contents, as: UTF8.self).contains("<element"))
    }

    @Test func anUnsoundModelChangesNothing() throws {
        var document = try document()
        var model = document.model
        model.entities.append(Entity(name: "Note"))
        #expect(throws: ModelFileError.self) { try document.update(to: model) }
        expectEqual(document.contents, Data(Self.text.utf8))
    }

    @Test func valuesThatXMLCannotRepresentAreReported() throws {
        var value = Attribute(common: PropertyCommon(name: "data"), type: .binary, defaultValue: .data(Data([1])))
        value.common.validations = [ValidationRule(predicateFormat: "SELF.length > 1")]
        let model = Model(entities: [Entity(name: "E", properties: [.attribute(value)])])
        let document = try ModelDocument(model: model, file: "")
        expectEqual(
            document.losses(of: model).map(\.description),
            [
                "E.data: a validation rule cannot be written as XML and is left out.",
                "E.data: the default value cannot be written as XML and is left out.",
            ]
        )
    }

    @Test func everythingAModelMaySayIsWritten() throws {
        func common(_ name: String) -> PropertyCommon { PropertyCommon(name: name, renamingIdentifier: "old") }
        var text = Attribute(common: common("text"), type: .string, defaultValue: .string("\"ä\" > 'b'\t"))
        text.common.validations = [
            ValidationRule(predicateFormat: "length >= 1", errorCode: 1670),
            ValidationRule(predicateFormat: "SELF MATCHES \"\\\\d+ \\\"\u{301}x\\n\\t\\\"\"", errorCode: 1680),
        ]
        var date = Attribute(
            common: common("date"),
            type: .date,
            defaultValue: .date(Date(timeIntervalSinceReferenceDate: 1.5))
        )
        date.common.validations = [
            ValidationRule(predicateFormat: "SELF >= CAST(-3.000000, \"NSDate\")", errorCode: 1640)
        ]
        let inner = Attribute(common: common("x"), type: .double, defaultValue: .double(1e20))
        let composite = Attribute(common: common("place"), type: .composite, elements: [inner], compositeName: "Point")
        var one = Relationship(common: common("one"), destinationEntityName: "E", inverseName: "many", minCount: 1)
        one.common.isTransient = true
        let many = Relationship(
            common: common("many"),
            destinationEntityName: "E",
            inverseName: "one",
            minCount: 2,
            maxCount: 5,
            isToMany: true,
            isOrdered: true,
            deleteRule: .noAction
        )
        let fetched = FetchedProperty(
            common: PropertyCommon(name: "found", isTransient: true, isReadOnly: true),
            request: FetchRequestTemplate(name: "f", entityName: "E", predicateFormat: "text == \"a\"", fetchLimit: 3)
        )
        var derived = Attribute(common: common("sum"), type: .double, derivationExpressionFormat: "many.@sum.x")
        derived.common.isReadOnly = true
        let entity = Entity(
            name: "E",
            className: "M.E",
            isAbstract: true,
            properties: [
                .attribute(text), .attribute(date), .attribute(composite), .attribute(derived), .relationship(one),
                .relationship(many), .fetched(fetched),
            ],
            uniquenessConstraints: [["text", "date"], ["date"]],
            indexes: [
                FetchIndex(
                    name: "byText",
                    elements: [
                        FetchIndexElement(propertyName: "text", isAscending: false),
                        FetchIndexElement(propertyName: nil, expressionFormat: "lowercase:(text)", isRTree: true),
                    ],
                    partialPredicateFormat: "text != nil"
                )
            ],
            compoundIndexes: [["text", "date"]],
            versionHashModifier: "1",
            userInfo: ["k": "v"],
            spotlightNameFormat: "text"
        )
        let template = FetchRequestTemplate(
            name: "t",
            entityName: "E",
            fetchBatchSize: 9,
            resultType: 2,
            includesSubentities: false,
            returnsDistinctResults: true,
            includesPendingChanges: true
        )
        let model = Model(
            entities: [entity],
            configurations: [Configuration(name: "C", entityNames: ["E"])],
            fetchRequestTemplates: [template],
            versionIdentifiers: ["7"]
        )
        let document = try ModelDocument(model: model, file: "")
        expectEqual(document.model, model)
        try expectEqual(ModelFile.readModel(contents: document.contents, file: ""), model)
        #expect(document.losses(of: model).isEmpty)
    }
}
