// Tests stores of every past version, as users' tests keep them: recorded once, then opened with the current version.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTesting
import Testing

struct FixtureTests {
    private static func attribute(_ name: String, _ type: String = "String", _ more: String = "optional=\"YES\"")
        -> String
    {
        RouteTests.attribute(name, type, more)
    }

    private static let list =
        "<relationship name=\"list\" maxCount=\"1\" destinationEntity=\"List\" inverseName=\"tasks\"/>"
    private static let tasks =
        "<relationship name=\"tasks\" optional=\"YES\" toMany=\"YES\" ordered=\"YES\" destinationEntity=\"Task\" "
        + "inverseName=\"list\"/>"

    private func model(_ attributes: String...) -> String {
        LightweightTests.entity("Task", attributes.joined() + Self.list)
            + LightweightTests.entity("List", Self.attribute("name") + Self.tasks)
    }

    private func versions() throws -> Versions {
        let code = Self.attribute(
            "code",
            "String",
            "minValueString=\"3\" maxValueString=\"4\" regularExpressionString=\"[0-9]+\""
        )
        return try Versions(
            model(Self.attribute("title")),
            model(Self.attribute("title"), code.replacing("<attribute", with: "<attribute optional=\"YES\"")),
            model(
                Self.attribute("name", "String", "optional=\"YES\" elementID=\"title\""),
                code.replacing("<attribute", with: "<attribute optional=\"YES\""),
                Self.attribute("due", "Date")
            )
        )
    }

    @Test func aStoreOfEachVersionIsRecordedOnceAndOpens() throws {
        let versions = try versions()
        let folder = versions.folder.appending(path: "Fixtures")
        let fixtures = try StoreFixtures(model: versions.bundle, in: folder)
        try expectEqual(fixtures.missing(), ["V1", "V2", "V3"])
        try expectEqual(fixtures.record(objects: 4).map(\.lastPathComponent), ["V1.sqlite", "V2.sqlite", "V3.sqlite"])
        #expect(try fixtures.record().isEmpty)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
            [
                "V1.sqlite", "V2.sqlite", "V3.sqlite",
            ]
        )
        let bytes = try fixtures.stores().map { try Data(contentsOf: $0) }
        let results = try fixtures.check()
        expectEqual(results.map(\.version), ["V1", "V2", "V3"])
        for result in results {
            expectEqual(result.problems, [])
            expectEqual(result.refused, [])
            expectEqual(
                result.counts.map { "\($0.entity) \($0.before) \($0.after)" }.sorted(),
                ["List 4 4", "Task 4 4"]
            )
        }
        try expectEqual(fixtures.stores().map { try Data(contentsOf: $0) }, bytes)
        let codes = try fixtures.open("V2") { try $0.values("code", "Task") as [String?] }
        #expect(codes.allSatisfy { $0?.wholeMatch(of: /[0-9]{3,4}/) != nil })
        try fixtures.open("V1") { context in
            for task in try context.all("Task") {
                let list = try #require(task.value(forKey: "list") as? NSManagedObject)
                expectEqual((list.value(forKey: "tasks") as? NSOrderedSet)?.contains(task), true)
            }
        }
    }

    @Test func valuesAreUniqueInTheEntitiesBelowAConstraint() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        let versions = try Versions(
            LightweightTests.entity("Item", Self.attribute("code") + unique)
                + LightweightTests.entity("Book", "", "parentEntity=\"Item\"")
                + LightweightTests.entity("Film", Self.attribute("title"), "parentEntity=\"Item\"")
        )
        let fixtures = try StoreFixtures(model: versions.bundle, in: versions.folder.appending(path: "Fixtures"))
        try fixtures.record()
        let codes = try fixtures.open("V1") { try $0.values("code", "Item") as [String?] }
        expectEqual(Set(codes.compactMap(\.self)).count, 9)
    }

    @Test func recordingReplacesNoFile() throws {
        let versions = try versions()
        let folder = versions.folder.appending(path: "Fixtures")
        let fixtures = try StoreFixtures(model: versions.bundle, in: folder)
        try fixtures.record()
        let file = folder.appending(path: "V1.sqlite")
        let damaged = Data(try Data(contentsOf: file).prefix(9_000))
        try damaged.write(to: file)
        try expectEqual(fixtures.record().map(\.lastPathComponent), ["V1-2.sqlite"])
        try expectEqual(Data(contentsOf: file), damaged)
        let results = try fixtures.check()
        expectEqual(results.first { $0.store?.lastPathComponent == "V1.sqlite" }?.problems.isEmpty, false)
        #expect(try fixtures.record().isEmpty)
    }

    @Test func aVersionWithoutAStoreIsAProblem() throws {
        let versions = try versions()
        let fixtures = try StoreFixtures(model: versions.bundle, in: versions.folder.appending(path: "None"))
        let results = try fixtures.check()
        expectEqual(results.map(\.version), ["V1", "V2", "V3"])
        #expect(results.allSatisfy { $0.store == nil && $0.problems.first?.contains("record()") == true })
    }

    @Test func aVersionThatNoLongerOpensIsAProblemWithItsReason() throws {
        let versions = try Versions(model(Self.attribute("title")), model(Self.attribute("title", "Date")))
        let fixtures = try StoreFixtures(model: versions.bundle, in: versions.folder.appending(path: "Fixtures"))
        try fixtures.record()
        let results = try fixtures.check()
        expectEqual(results[0].problems.first?.contains("Task.title"), true)
        expectEqual(results[1].problems, [])
    }

    @Test func objectsThatNewRulesRefuseAreNamed() throws {
        let versions = try Versions(
            model(Self.attribute("title")),
            model(Self.attribute("title", "String", "optional=\"YES\" maxValueString=\"2\""), Self.attribute("more"))
        )
        let fixtures = try StoreFixtures(model: versions.bundle, in: versions.folder.appending(path: "Fixtures"))
        try fixtures.record { version, context in
            let list = context.add("List")
            context.add("Task", ["title": version == "V1" ? "long" : "to", "list": list])
            context.add("Task", ["title": "ok", "list": list])
        }
        let results = try fixtures.check()
        #expect(results[0].problems == [] && results[0].refused.count == 1)
        expectEqual(results[0].refused.first?.contains("Task/p1"), true)
    }

    @Test func aStoreOfAUserCountsForItsVersionWhateverItIsCalled() throws {
        let versions = try versions()
        try versions.fill(2) { $0.add("Task", ["title": "mine", "list": $0.add("List")]) }
        let folder = versions.folder.appending(path: "Fixtures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: versions.store, to: folder.appending(path: "From my phone.store"))
        for suffix in ["-wal", "-shm"] {
            let file = URL(filePath: versions.store.path + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.moveItem(at: file, to: folder.appending(path: "From my phone.store" + suffix))
        }
        let fixtures = try StoreFixtures(model: versions.bundle, in: folder)
        try expectEqual(fixtures.missing(), ["V1", "V3"])
        try expectEqual(fixtures.open("V2") { try $0.values("name", "Task") }, ["mine"])
    }

    @Test func aDamagedStoreIsAProblem() throws {
        let versions = try versions()
        let folder = versions.folder.appending(path: "Fixtures")
        let fixtures = try StoreFixtures(model: versions.bundle, in: folder)
        try fixtures.record()
        let file = folder.appending(path: "V1.sqlite")
        try Data(contentsOf: file).prefix(9_000).write(to: file)
        let results = try fixtures.check()
        expectEqual(results.first { $0.store?.lastPathComponent == "V1.sqlite" }?.problems.isEmpty, false)
    }
}
