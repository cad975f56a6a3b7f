// Tests relationships that became required, and the cost of in-place migrations: invalid rows are found before anything
// is written, and unaffected rows are not read.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct RequirementTests {
    private static func lists(_ more: String) -> String {
        RelationshipMigrationTests.entity(
            "Item",
            RelationshipMigrationTests.relation("list", "List", "items", many: false).replacing(
                "optional=\"YES\"",
                with: more
            )
        )
            + RelationshipMigrationTests.entity(
                "List",
                RelationshipMigrationTests.relation("items", "Item", "list", many: true)
            )
    }

    private func refusal(_ versions: Versions) throws -> NSError {
        let before = try versions.content()
        let error = #expect(throws: (any Error).self) { () throws in _ = try versions.open(versions.names.count) }
        try expectEqual(versions.content(), before)
        return try #require(error) as NSError
    }

    @Test func aRelationshipThatBecomesRequiredNamesTheObjectsWithoutOne() throws {
        let versions = try Versions(Self.lists("optional=\"YES\""), Self.lists(""))
        try versions.fill { context in
            let list = context.add("List", ["name": "l"])
            context.add("Item", ["name": "a", "list": list])
            context.add("Item", ["name": "b"])
            context.add("Item", ["name": "c"])
        }
        let error = try refusal(versions)
        expectEqual(error.code, 134110)
        expectEqual(error.userInfo["entity"] as? String, "Item")
        expectEqual(error.userInfo["property"] as? String, "list")
        let reason = try #require(error.userInfo["reason"] as? String)
        #expect(reason.contains(": 2, such as the object with the key "), "\(reason)")
        try versions.use(1) { context in
            let list = try context.all("List")[0]
            for item in try context.all("Item") { item.setValue(list, forKey: "list") }
            try context.save()
        }
        try versions.use(2) { try expectEqual($0.all("Item").count, 3) }
    }

    @Test(arguments: [nil, "list"] as [String?])
    func membersThatOwnersShareCannotGetOneOwner(inverse: String?) throws {
        func version(_ lists: String?, many: Bool) -> String {
            let list = lists.map { RelationshipMigrationTests.relation($0, "List", "items", many: many) } ?? ""
            return RelationshipMigrationTests.entity("Item", list)
                + RelationshipMigrationTests.entity(
                    "List",
                    RelationshipMigrationTests.relation("items", "Item", lists, many: true)
                )
        }
        let versions = try Versions(version("lists", many: true), version(inverse, many: false))
        try versions.fill { context in
            let items = ["a", "b"].map { context.add("Item", ["name": $0]) }
            for name in ["1", "2"] { context.add("List", ["name": name, "items": Set(items)]) }
            context.add("List", ["name": "3"])
        }
        let error = try refusal(versions)
        expectEqual(error.code, 134110)
        expectEqual(error.userInfo["entity"] as? String, "List")
        expectEqual(error.userInfo["property"] as? String, "items")
        let reason = try #require(error.userInfo["reason"] as? String)
        #expect(reason.contains(": 2, such as the object with the key "), "\(reason)")
        try versions.use(1) { context in
            try context.all("List")[1].setValue(Set<NSManagedObject>(), forKey: "items")
            try context.save()
        }
        try versions.use(2) { context in
            let counts = try context.all("List").map { ($0.value(forKey: "items") as? Set<NSManagedObject>)?.count }
            expectEqual(counts, [2, 0, 0])
        }
    }

    @Test func aNewRequiredRelationshipIsRefusedOnlyIfThereAreObjects() throws {
        let alone = RelationshipMigrationTests.entity("Item", "")
        let versions = try Versions(alone, Self.lists(""))
        try versions.fill { _ in }
        try versions.use(2) { try #expect($0.all("Item").isEmpty) }
        let others = try Versions(alone, Self.lists(""))
        try others.fill { $0.add("Item", ["name": "a"]) }
        let error = try refusal(others)
        expectEqual(error.userInfo["property"] as? String, "list")
    }

    /// An empty collection is valid without a minimum, in a save and so in a migration.
    @Test(arguments: [false, true])
    func aToManyRelationshipThatIsNotOptionalMayBeEmptyWithoutAMinimum(existed: Bool) throws {
        func version(_ more: String?) -> String {
            let relations = more.map { more in
                (
                    RelationshipMigrationTests.relation("list", "List", "items", many: false),
                    RelationshipMigrationTests.relation("items", "Item", "list", many: true)
                        .replacing("optional=\"YES\"", with: more)
                )
            }
            return RelationshipMigrationTests.entity("Item", relations?.0 ?? "")
                + RelationshipMigrationTests.entity("List", relations?.1 ?? "")
        }
        let former = existed ? "optional=\"YES\"" : nil
        let versions = try Versions(version(former), version(""))
        try versions.fill { context in
            context.add("List", ["name": "l"])
            context.add("Item", ["name": "a"])
        }
        try versions.use(2) { context in
            try expectEqual(context.values("name", "List"), ["l"])
            context.add("List", ["name": "m"])
            try context.save()
        }
        let limited = try Versions(version(former), version("minCount=\"1\""))
        try limited.fill { $0.add("List", ["name": "l"]) }
        try expectEqual(refusal(limited).userInfo["property"] as? String, "items")
    }

    @Test func aRequiredRelationshipIsFilledFromAnExistingInverse() throws {
        let versions = try Versions(
            RelationshipMigrationTests.entity("Item", "")
                + RelationshipMigrationTests.entity(
                    "List",
                    RelationshipMigrationTests.relation("items", "Item", nil, many: true)
                ),
            Self.lists("")
        )
        try versions.fill { context in
            let items = ["a", "b"].map { context.add("Item", ["name": $0]) }
            context.add("List", ["name": "l", "items": Set(items)])
        }
        try versions.use(2) { context in
            try #expect(
                context.all("Item").allSatisfy {
                    ($0.value(forKey: "list") as? NSManagedObject)?.value(forKey: "name") as? String == "l"
                }
            )
        }
    }

    // MARK: Cost

    /// Runs the migration and returns its statements and the number of changed rows.
    private func cost(_ versions: Versions) throws -> (statements: [String], changes: Int) {
        let names = [1, 2].map { versions.bundle.appending(path: "V\($0).xcdatamodel") }
        let models = try names.map { try ModelFile.readModel(at: $0) }
        let connection = try StoreFile.open(at: versions.store.path)
        defer { connection.close() }
        try connection.registerFunction(StoreSchema.timeFunction, argumentCount: 0, deterministic: false) { _ in
            .real(0)
        }
        var statements: [String] = []
        connection.observer = { statements.append($0.text) }
        let metadata = try StoreFile.readMetadata(connection)
        let before = connection.totalChanges
        let rowsReadBefore = connection.rowsRead
        try connection.transaction(.exclusive) {
            let mapping = try MappingInference.infer(from: models[0], to: models[1])
            let plan = MigrationPlanner.plan(
                mapping,
                from: models[0],
                to: models[1],
                file: try StoreMigration.file(connection)
            )
            try StoreMigration(plan: plan, from: models[0], to: models[1], metadata: metadata).run(connection)
        }
        #expect(connection.rowsRead - rowsReadBefore < 500)
        return (statements, connection.totalChanges - before)
    }

    @Test(arguments: ["optional=\"YES\"", "defaultValueString=\"7\""])
    func aNewAttributeTouchesNoRow(_ more: String) throws {
        let title = LightweightTests.title
        let versions = try Versions(
            LightweightTests.entity("Note", title),
            LightweightTests.entity("Note", title + "<attribute name=\"x\" attributeType=\"Integer 32\" \(more)/>")
        )
        // The statements are those of files; ALTER TABLE writes no rows in a database either.
        if versions.schema != nil { return }
        try versions.fill { context in for number in 0..<2_000 { context.add("Note", ["title": "\(number)"]) } }
        let (statements, changes) = try cost(versions)
        let scans = statements.filter {
            $0.contains("ZNOTE") && !$0.hasPrefix("ALTER TABLE ZNOTE ADD COLUMN ZX INTEGER")
        }
        #expect(scans.allSatisfy { $0 == "SELECT MAX(Z_PK) FROM ZNOTE" || $0.contains("table_info") }, "\(scans)")
        // Only the entity's number, the metadata and the model change.
        #expect(changes < 10)
    }

    @Test func aDefaultValueThatStandsInTheDeclarationNeverReachesOtherEntities() throws {
        let title = LightweightTests.title
        let x = "<attribute name=\"x\" attributeType=\"String\" defaultValueString=\"it's\"/>"
        let y = "<attribute name=\"y\" attributeType=\"Double\" defaultValueString=\"0.1\"/>"
        let versions = try Versions(
            LightweightTests.entity("Base", title),
            LightweightTests.entity("Base", title + x + y),
            // The columns now belong to one child; the other child's rows have the declared default values.
            LightweightTests.entity("Base", title, "isAbstract=\"YES\"")
                + LightweightTests.entity("Note", x + y, "parentEntity=\"Base\" elementID=\"Base\"")
                + LightweightTests.entity("Other", "", "parentEntity=\"Base\""),
            LightweightTests.entity("Base", title + "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>")
                + LightweightTests.entity("Note", y, "parentEntity=\"Base\"")
                + LightweightTests.entity("Other", "", "parentEntity=\"Base\"")
        )
        try versions.fill { $0.add("Base", ["title": "a"]) }
        try versions.use(2) { context in
            let note = try context.all("Base")[0]
            expectEqual(note.value(forKey: "x") as? String, "it's")
            expectEqual(note.value(forKey: "y") as? Double, 0.1)
            context.add("Base", ["title": "b", "x": "own"])
            try context.save()
        }
        try versions.use(3) { context in
            try expectEqual(context.values("x", "Note"), ["it's", "own"])
            context.add("Other", ["title": "o"])
            try context.save()
        }
        try versions.use(4) { context in
            try expectEqual(context.values("x", "Note"), ["it's", "own"])
            try expectEqual(context.values("y", "Note"), [0.1, 0.1])
            try expectEqual(context.all("Other").map { $0.value(forKey: "x") as? String }, [nil])
        }
    }
}
