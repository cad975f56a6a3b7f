// Tests refused migrations: the error has Apple's code, entity, property and reason, and the file is unchanged.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct RefusedMigrationTests {
    private static let title = LightweightTests.title
    private static func entity(_ name: String, _ properties: String, _ more: String = "") -> String {
        LightweightTests.entity(name, properties, more)
    }

    /// Opens the store with the last version, expects the file to be unchanged, and returns the error.
    private func refusal(_ versions: Versions, migrates: Bool = true, infers: Bool = true) throws -> NSError {
        let before = try versions.content()
        let last = versions.names.count
        let error = #expect(throws: (any Error).self) {
            _ = try versions.open(last, migrates: migrates, infers: infers)
        }
        try expectEqual(versions.content(), before)
        return try #require(error) as NSError
    }

    @Test func aChangedTypeIsRefusedWith134190AndSaysWhere() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", "<attribute name=\"title\" optional=\"YES\" attributeType=\"Integer 32\"/>")
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        let error = try refusal(versions)
        expectEqual(error.code, NSInferredMappingModelError)
        expectEqual(error.userInfo["entity"] as? String, "Note")
        expectEqual(error.userInfo["property"] as? String, "title")
        expectEqual((error.userInfo["reason"] as? String)?.contains("types are incompatible"), true)
    }

    @Test(arguments: ["", LightweightTests.title])
    func aRequiredAttributeWithoutADefaultIsRefusedWith134190(before: String) throws {
        let versions = try Versions(
            Self.entity("Note", before + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"),
            Self.entity("Note", "<attribute name=\"title\" attributeType=\"String\"/>")
        )
        try versions.fill { $0.add("Note") }
        let error = try refusal(versions)
        expectEqual(error.code, 134190)
        expectEqual(error.userInfo["property"] as? String, "title")
    }

    @Test func hierarchiesThatSharedNoParentAreNotMerged() throws {
        let versions = try Versions(
            Self.entity("A", Self.title) + Self.entity("B", Self.title),
            Self.entity("P", Self.title) + Self.entity("A", "", "parentEntity=\"P\"")
                + Self.entity("B", "", "parentEntity=\"P\"")
        )
        try versions.fill { $0.add("A") }
        try expectEqual(refusal(versions).code, 134190)
    }

    @Test func withoutTheOptionTheErrorIs134100WithMetadataAndReason() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", Self.title + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>")
        )
        try versions.fill { $0.add("Note") }
        let error = try refusal(versions, migrates: false)
        expectEqual(error.code, 134100)
        #expect((error.userInfo["metadata"] as? [String: Any])?["NSStoreModelVersionHashes"] != nil)
        expectEqual((error.userInfo["reason"] as? String)?.contains("Note"), true)
    }

    /// Without its mapping model, the migration would be inferred.
    @Test func anUnreadableMappingModelIsNotTakenForAMissingOne() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", Self.title + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>")
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        // No user, not even root, can open a link that points to itself.
        let mapping = versions.folder.appending(path: "V1ToV2.cdm")
        try FileManager.default.createSymbolicLink(at: mapping, withDestinationURL: mapping)
        let error = try refusal(versions)
        expectEqual(error.code, 134110)
        expectEqual(error.localizedDescription.contains("V1ToV2.cdm"), true)
        expectEqual(error.localizedRecoverySuggestion?.contains("permissions"), true)
        expectEqual(error.localizedRecoverySuggestion?.hasSuffix("The store was not changed."), true)
        try FileManager.default.removeItem(at: mapping)
        _ = try versions.open(2)
    }

    @Test func withoutInferenceAndWithoutAMappingModelTheErrorIs134140() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", Self.title + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>")
        )
        try versions.fill { $0.add("Note") }
        try expectEqual(refusal(versions, infers: false).code, 134140)
    }

    @Test func withoutTheSourceModelTheErrorIs134130() throws {
        let versions = try Versions(Self.entity("Note", Self.title), Self.entity("Memo", Self.title))
        try versions.fill { $0.add("Note") }
        try FileManager.default.removeItem(at: versions.bundle.appending(path: "V1.xcdatamodel"))
        try versions.removeOwnModel()
        try expectEqual(refusal(versions).code, 134130)
    }

    @Test func valuesThatANewConstraintForbidsAreNamed() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity(
                "Note",
                Self.title + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"title\"/>"
                    + "</uniquenessConstraint></uniquenessConstraints>"
            )
        )
        try versions.fill { context in for _ in 0..<2 { context.add("Note", ["title": "same"]) } }
        let error = try refusal(versions)
        expectEqual(error.code, 134110)
        expectEqual(error.userInfo["entity"] as? String, "Note")
        expectEqual(error.userInfo["property"] as? String, "title")
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code, 134111)
        try versions.use(1) { try expectEqual($0.all("Note").count, 2) }
    }

    @Test func anEntityWithObjectsCannotBecomeAbstract() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", Self.title, "isAbstract=\"YES\"")
        )
        try versions.fill { $0.add("Note") }
        let error = try refusal(versions)
        expectEqual(error.code, 134110)
        expectEqual(error.userInfo["entity"] as? String, "Note")
    }
}
