// Tests reading of attributes: types, defaults, flags, rules, derived and composite ones.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct AttributeReadingTests {
    @Test(arguments: [
        ("Integer 16", AttributeType.integer16), ("Integer 32", .integer32), ("Integer 64", .integer64),
        ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .string), ("Boolean", .boolean),
        ("Date", .date), ("Binary", .binary), ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable),
        ("Undefined", .undefined), ("integer16", .integer16), ("BOOLEAN", .boolean),
    ])
    func everyTypeIsRead(name: String, type: AttributeType) throws {
        try expectEqual(ModelText.readAttribute("attributeType=\"\(name)\"")?.type, type)
    }

    @Test func aTransientAttributeNeedsNoType() throws {
        let attribute = try #require(try ModelText.readAttribute("optional=\"YES\" transient=\"YES\""))
        expectEqual(attribute.type, .undefined)
        #expect(attribute.common.isTransient)
    }

    @Test(arguments: [
        ("Integer 16", "-32768", DefaultValue.integer(-32768)),
        ("Integer 32", "0.0", .integer(0)),
        ("Integer 64", "9223372036854775807", .integer(.max)),
        ("Double", "0.5", .double(0.5)),
        ("Float", "1e3", .double(1000)),
        ("Decimal", "12.345678901234567890", .decimal(Decimal(string: "12.345678901234567890") ?? 0)),
        ("Boolean", "YES", .boolean(true)),
        ("Boolean", "NO", .boolean(false)),
        ("Boolean", "1", .boolean(true)),
        ("Boolean", "false", .boolean(false)),
        ("String", "", .string("")),
        ("String", " two words ", .string(" two words ")),
        (
            "UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            .uuid(
                UUID(
                    uuid: (
                        0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F
                    )
                )
            )
        ),
    ])
    func everyDefaultIsTyped(type: String, text: String, value: DefaultValue) throws {
        let attribute = try ModelText.readAttribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
        expectEqual(attribute?.defaultValue, value)
    }

    @Test func aURIHasAURLAsItsDefault() throws {
        let attribute = try ModelText.readAttribute(
            "attributeType=\"URI\" defaultValueString=\"https://example.org/a\""
        )
        expectEqual(attribute?.defaultValue, URL(string: "https://example.org/a").map { .url($0) })
    }

    @Test func aDateHasItsDefaultFromTheInterval() throws {
        let dated = try ModelText.readAttribute(
            "attributeType=\"Date\" defaultDateTimeInterval=\"407847600\" defaultValueString=\"today\""
        )
        expectEqual(dated?.defaultValue, .date(Date(timeIntervalSinceReferenceDate: 407_847_600)))
        let leftover = try ModelText.readAttribute("attributeType=\"Date\" defaultValueString=\"NO\"")
        expectNil(leftover?.defaultValue)
    }

    @Test func aTypeWithoutDefaultsIgnoresTheValuesOfAnEarlierType() throws {
        try expectNil(ModelText.readAttribute("attributeType=\"Binary\" defaultValueString=\"0\"")?.defaultValue)
    }

    @Test(arguments: ["YES", "yes", "true", "TRUE", "1"])
    func aFlagIsTakenInAnySpelling(spelling: String) throws {
        let attribute = try #require(
            try ModelText.readAttribute(
                """
                attributeType="Binary" optional="\(spelling)" transient="\(spelling)" usesScalarValueType="\(spelling)"
                allowsExternalBinaryDataStorage="\(spelling)" preserveAfterDeletion="\(spelling)"
                allowsCloudEncryption="\(spelling)" indexed="\(spelling)" spotlightIndexingEnabled="\(spelling)"
                storedInTruthFile="\(spelling)"
                """
            )
        )
        #expect(attribute.common.isOptional && attribute.common.isTransient && attribute.usesScalarValue)
        #expect(attribute.allowsExternalBinaryDataStorage && attribute.preservesValueInHistoryOnDeletion)
        #expect(attribute.allowsCloudEncryption && attribute.common.isIndexed && attribute.common.isIndexedBySpotlight)
        #expect(attribute.common.isStoredInExternalRecord)
    }

    @Test(arguments: ["", "optional=\"NO\"", "optional=\"false\"", "optional=\"0\""])
    func aMissingOrNegativeFlagIsNo(xml: String) throws {
        try expectEqual(ModelText.readAttribute("attributeType=\"String\" \(xml)")?.common.isOptional, false)
    }

    @Test func transformersClassesAndIdentifiersAreKept() throws {
        let attribute = try #require(
            try ModelText.readAttribute(
                """
                attributeType="Transformable" valueTransformerName="ColorTransformer" customClassName="[String]"
                elementID="old" versionHashModifier="v2"
                """
            )
        )
        expectEqual(attribute.valueTransformerName, "ColorTransformer")
        expectEqual(attribute.customClassName, "[String]")
        expectEqual(attribute.common.renamingIdentifier, "old")
        expectEqual(attribute.common.versionHashModifier, "v2")
        try expectNil(ModelText.readAttribute("versionHashModifier=\"\"")?.common.versionHashModifier)
    }

    @Test func rulesAreAscendingPredicatesWithApplesCodes() throws {
        func rules(_ xml: String) throws -> [ValidationRule] {
            try ModelText.readAttribute(xml)?.common.validations ?? []
        }
        try expectEqual(
            rules("attributeType=\"Integer 16\" minValueString=\"-1\" maxValueString=\"10\""),
            [
                ValidationRule(predicateFormat: "SELF >= -1", errorCode: 1620),
                ValidationRule(predicateFormat: "SELF <= 10", errorCode: 1610),
            ]
        )
        try expectEqual(
            rules("attributeType=\"Decimal\" maxValueString=\"0.25\""),
            [
                ValidationRule(predicateFormat: "SELF <= 0.25", errorCode: 1610)
            ]
        )
        try expectEqual(
            rules(
                "attributeType=\"Date\" minDateTimeInterval=\"407847600\" minValueString=\"12/4/2013\" "
                    + "maxDateTimeInterval=\"439470000.5\""
            ),
            [
                ValidationRule(predicateFormat: "SELF >= CAST(407847600.000000, \"NSDate\")", errorCode: 1640),
                ValidationRule(predicateFormat: "SELF <= CAST(439470000.500000, \"NSDate\")", errorCode: 1630),
            ]
        )
        try expectEqual(
            rules(
                #"attributeType="String" minValueString="3" maxValueString="32" regularExpressionString="\A&quot;x\z""#
            ),
            [
                ValidationRule(predicateFormat: "length >= 3", errorCode: 1670),
                ValidationRule(predicateFormat: "length <= 32", errorCode: 1660),
                ValidationRule(predicateFormat: #"SELF MATCHES "\\A\"x\\z""#, errorCode: 1680),
            ]
        )
        // A quotation mark forms one character with the mark after it.
        try expectEqual(
            rules(##"attributeType="String" regularExpressionString="[&quot;&#x301;&#9;]""##),
            [ValidationRule(predicateFormat: "SELF MATCHES \"[\\\"\u{301}\\t]\"", errorCode: 1680)]
        )
        #expect(try rules("attributeType=\"Boolean\" minValueString=\"1\"").isEmpty)
    }

    @Test func aDerivedAttributeIsReadOnlyAndHasItsExpression() throws {
        let derived = try #require(
            try ModelText.readAttribute(
                "attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"b.@count\""
            )
        )
        expectEqual(derived.derivationExpressionFormat, "b.@count")
        #expect(derived.common.isReadOnly)
        let stored = try ModelText.readAttribute("attributeType=\"Date\" derivationExpression=\"now()\"")
        expectNil(stored?.derivationExpressionFormat, "A leftover of an attribute that once was derived")
    }

    @Test func aCompositeAttributeHasTheElementsOfItsType() throws {
        let model = try ModelText.read(
            """
            <entity name="E"><attribute name="place" attributeType="Composite" composite="Place"/></entity>
            <composite name="Place">
                <attribute name="label" attributeType="String" defaultValueString="here"/>
                <attribute name="point" attributeType="Composite" composite="Point"/>
            </composite>
            <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
            """
        )
        let place = try #require(model.entities.first?.attributes.first)
        expectEqual(place.type, .composite)
        expectEqual(place.elements.map(\.name), ["label", "point"])
        expectEqual(place.elements.first?.defaultValue, .string("here"))
        expectEqual(place.elements.last?.elements.map(\.name), ["x"])
    }
}
