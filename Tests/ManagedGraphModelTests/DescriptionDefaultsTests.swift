// Tests the initial values of descriptions created in code.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct DescriptionDefaults {
    private static func descriptions() -> [NSPropertyDescription] {
        [
            NSPropertyDescription(), NSAttributeDescription(), NSRelationshipDescription(),
            NSFetchedPropertyDescription(), NSExpressionDescription(), NSDerivedAttributeDescription(),
            NSCompositeAttributeDescription(),
        ]
    }

    @Test func anEntryPutIntoTheUserInfoOfANewPropertyIsKept() {
        for description in Self.descriptions() {
            expectEqual(description.userInfo?.isEmpty, true, "\(type(of: description))")
            description.userInfo?["search"] = "interesting"
            expectEqual(description.userInfo?["search"] as? String, "interesting", "\(type(of: description))")
            let copy = description.copy() as? NSPropertyDescription
            expectEqual(copy?.userInfo?["search"] as? String, "interesting", "\(type(of: description))")
        }
    }

    @Test func aNewRelationshipLeadsToManyObjectsWithoutALimit() {
        let relationship = NSRelationshipDescription()
        expectEqual(relationship.minCount, 0)
        expectEqual(relationship.maxCount, 0)
        #expect(relationship.isToMany)
        #expect(!relationship.isOrdered)
        expectEqual(relationship.deleteRule, .nullifyDeleteRule)
        relationship.maxCount = 1
        #expect(!relationship.isToMany)
    }

    @Test func anEntryPutIntoTheUserInfoOfANewEntityIsKept() {
        let entity = NSEntityDescription()
        expectEqual(entity.userInfo?.isEmpty, true)
        entity.userInfo?["list"] = "first"
        expectEqual(entity.userInfo?["list"] as? String, "first")
        entity.userInfo = nil
        expectNil(entity.userInfo)
    }

    @Test func aModelThatWasReadHasEmptyUserInfosIfTheFileHasNone() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xcdatamodel")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Note">
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="kept" optional="YES" attributeType="String">
            <userInfo><entry key="list" value="first"/></userInfo></attribute></entity></model>
            """
        try Data(xml.utf8).write(to: folder.appending(path: "contents"))
        let entity = try #require(try NSManagedObjectModel(readingFrom: folder).entitiesByName["Note"])
        expectEqual(entity.userInfo?.isEmpty, true)
        expectEqual(entity.propertiesByName["title"]?.userInfo?.isEmpty, true)
        expectEqual(entity.propertiesByName["kept"]?.userInfo?["list"] as? String, "first")
    }
}
