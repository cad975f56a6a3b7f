// Tests every row of Apple's table of lightweight changes with objects: values are kept or set, and the tables equal
// those of a new store.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct LightweightTests {
    static func entity(_ name: String, _ properties: String, _ more: String = "") -> String {
        "<entity name=\"\(name)\" \(more)>\(properties)</entity>"
    }

    static let title = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"

    // MARK: Attributes

    /// Versions between which a title moves from a parent to its child, and a store of the first with both.
    static func titleMovingDown() throws -> Versions {
        let child = { (properties: String) in entity("Child", properties, "parentEntity=\"Parent\"") }
        let versions = try Versions(entity("Parent", title) + child(""), entity("Parent", "") + child(title))
        try versions.fill { context in
            context.add("Parent", ["title": "lost"])
            context.add("Child", ["title": "kept"])
        }
        return versions
    }

    @Test func anAddedAttributeIsEmptyOrHasItsDefault() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity(
                "Note",
                Self.title + "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\"/>"
                    + "<attribute name=\"count\" attributeType=\"Integer 32\" defaultValueString=\"7\"/>"
            )
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        try versions.use(2) { context in
            try expectEqual(context.values("title", "Note"), ["a"])
            try expectEqual(context.values("body", "Note"), [String?.none])
            try expectEqual(context.values("count", "Note"), [7])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRemovedAttributeIsGoneAndTheOthersStay() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title + "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\"/>"),
            Self.entity("Note", Self.title)
        )
        try versions.fill { context in for name in ["a", "b"] { context.add("Note", ["title": name, "body": "x"]) } }
        try versions.use(2) { try expectEqual($0.values("title", "Note"), ["a", "b"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRenamedAttributeKeepsItsValues() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity(
                "Note",
                "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/>"
            )
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        try versions.use(2) { try expectEqual($0.values("name", "Note"), ["a"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func twoAttributesThatSwapNamesSwapValues() throws {
        let old = Self.title + "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\"/>"
        let versions = try Versions(
            Self.entity("Note", old),
            Self.entity(
                "Note",
                "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\" elementID=\"body\"/>"
                    + "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/>",
                // A name alone does not make another version: Apple's hashes omit it too.
                "versionHashModifier=\"2\""
            )
        )
        try versions.fill { $0.add("Note", ["title": "t", "body": "b"]) }
        try versions.use(2) { context in
            try expectEqual(context.values("title", "Note"), ["b"])
            try expectEqual(context.values("body", "Note"), ["t"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRequiredAttributeMayBecomeOptional() throws {
        let versions = try Versions(
            Self.entity("Note", "<attribute name=\"title\" attributeType=\"String\"/>"),
            Self.entity("Note", Self.title)
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        try versions.use(2) { try expectEqual($0.values("title", "Note"), ["a"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func anOptionalAttributeThatBecomesRequiredGetsItsDefaultInRowsWithoutAValue() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Note", "<attribute name=\"title\" attributeType=\"String\" defaultValueString=\"none\"/>")
        )
        try versions.fill { context in
            context.add("Note", ["title": "a"])
            context.add("Note")
        }
        try versions.use(2) { try expectEqual($0.values("title", "Note"), ["a", "none"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRenamingIdentifierWorksAcrossASkippedVersion() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity(
                "Note",
                "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/>"
            ),
            Self.entity(
                "Memo",
                "<attribute name=\"heading\" optional=\"YES\" attributeType=\"String\" elementID=\"title\"/>",
                "elementID=\"Note\""
            )
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        try versions.use(3) { try expectEqual($0.values("heading", "Memo"), ["a"]) }
        try versions.expectTablesOfNewStore()
    }

    // MARK: Entities

    @Test func anAddedEntityThatSortsFirstMovesTheOthersNumbers() throws {
        let note = Self.entity(
            "Note",
            Self.title + "<relationship name=\"tags\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Tag\" "
                + "inverseName=\"notes\" inverseEntity=\"Tag\"/>"
        )
        let tag = Self.entity(
            "Tag",
            "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/><relationship name=\"notes\" optional=\"YES\" "
                + "toMany=\"YES\" destinationEntity=\"Note\" inverseName=\"tags\" inverseEntity=\"Note\"/>"
        )
        let versions = try Versions(note + tag, Self.entity("Album", Self.title) + note + tag)
        try versions.fill { context in
            let tags = ["x", "y"].map { context.add("Tag", ["name": $0]) }
            context.add("Note", ["title": "a", "tags": Set(tags)])
            context.add("Note", ["title": "b", "tags": Set(tags.prefix(1))])
        }
        try versions.use(2) { context in
            let counts = try context.all("Note").map { ($0.value(forKey: "tags") as? Set<NSManagedObject>)?.count }
            expectEqual(counts, [2, 1])
            context.add("Album", ["title": "new"])
            context.add("Note", ["title": "c"])
            try context.save()
            try expectEqual(context.values("title", "Note"), ["a", "b", "c"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aRemovedEntityIsGoneWithItsTable() throws {
        let versions = try Versions(
            Self.entity("Album", Self.title) + Self.entity("Note", Self.title),
            Self.entity("Note", Self.title)
        )
        try versions.fill { context in
            context.add("Album", ["title": "x"])
            context.add("Note", ["title": "a"])
        }
        try versions.use(2) { try expectEqual($0.values("title", "Note"), ["a"]) }
        try versions.expectTablesOfNewStore()
    }

    @Test func renamedEntitiesKeepTheirObjectsAlsoIfTheySwapNames() throws {
        let versions = try Versions(
            Self.entity("Album", Self.title) + Self.entity("Note", Self.title),
            Self.entity("Album", Self.title, "elementID=\"Note\" versionHashModifier=\"2\"")
                + Self.entity("Note", Self.title, "elementID=\"Album\"")
        )
        try versions.fill { context in
            context.add("Album", ["title": "album"])
            context.add("Note", ["title": "note"])
        }
        try versions.use(2) { context in
            try expectEqual(context.values("title", "Album"), ["note"])
            try expectEqual(context.values("title", "Note"), ["album"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func anEntityGetsANewParentToWhichAPropertyMovesUp() throws {
        let versions = try Versions(
            Self.entity("Note", Self.title),
            Self.entity("Item", Self.title, "isAbstract=\"YES\"") + Self.entity("Note", "", "parentEntity=\"Item\"")
        )
        try versions.fill { $0.add("Note", ["title": "a"]) }
        try versions.use(2) { context in
            try expectEqual(context.values("title", "Note"), ["a"])
            try expectEqual(context.values("title", "Item"), ["a"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aPropertyMovesDownToANewChild() throws {
        let versions = try Self.titleMovingDown()
        try versions.use(2) { context in
            try expectEqual(context.values("title", "Child"), ["kept"])
            try expectEqual(context.all("Parent").count, 2)
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func anEntityLeavesItsHierarchyWithItsKeys() throws {
        let versions = try Versions(
            Self.entity("Parent", Self.title) + Self.entity("Child", "", "parentEntity=\"Parent\""),
            Self.entity("Parent", Self.title) + Self.entity("Child", Self.title)
        )
        try versions.fill { context in
            for number in 1...3 {
                context.add("Parent", ["title": "p\(number)"])
                context.add("Child", ["title": "c\(number)"])
            }
        }
        let keys = try versions.use(1) { try $0.all("Child").map { $0.objectID.uriRepresentation().lastPathComponent } }
        try versions.use(2) { context in
            try expectEqual(context.all("Child").map { $0.objectID.uriRepresentation().lastPathComponent }, keys)
            try expectEqual(context.values("title", "Child"), ["c1", "c2", "c3"])
            try expectEqual(context.values("title", "Parent"), ["p1", "p2", "p3"])
            context.add("Child", ["title": "c4"])
            try context.save()
        }
        try versions.expectTablesOfNewStore()
    }
}
