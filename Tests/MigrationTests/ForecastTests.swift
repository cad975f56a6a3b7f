// Tests the forecast of a migration, made before anything is written, and the rehearsal on a copy, object by object; for
// stores in files and in databases.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTools
import Testing

@Suite(.inDatabasesToo) struct ForecastTests {
    private static func attribute(_ name: String, _ type: String = "String", _ more: String = "optional=\"YES\"")
        -> String
    {
        RouteTests.attribute(name, type, more)
    }

    /// Version 2 adds, removes, renames, fills and restricts properties.
    private func versions() throws -> Versions {
        let list = "<relationship name=\"list\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"List\" "
        let tasks = "<relationship name=\"tasks\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Task\" "
        return try Versions(
            LightweightTests.entity(
                "Task",
                Self.attribute("title") + Self.attribute("notes") + Self.attribute("rank", "Integer 16")
                    + Self.attribute("code") + list + "inverseName=\"tasks\"/>"
            ) + LightweightTests.entity("List", Self.attribute("name") + tasks + "inverseName=\"list\"/>")
                + LightweightTests.entity("Scrap", Self.attribute("text")),
            LightweightTests.entity(
                "Task",
                Self.attribute("name", "String", "optional=\"YES\" elementID=\"title\" maxValueString=\"5\"")
                    + Self.attribute("rank", "Integer 16", "defaultValueString=\"3\"") + Self.attribute("code")
                    + Self.attribute("size", "Integer 32", "defaultValueString=\"7\"") + list
                    + "inverseName=\"tasks\"/>"
            )
                + LightweightTests.entity(
                    "Group",
                    Self.attribute("name") + tasks + "inverseName=\"list\"/>",
                    "elementID=\"List\""
                )
        )
    }

    private func fill(_ versions: Versions) throws {
        try versions.fill { context in
            let list = context.add("List", ["name": "l"])
            context.add("Task", ["title": "short", "notes": "n", "rank": 1, "list": list])
            context.add("Task", ["title": "much too long", "rank": nil, "list": list])
            context.add("Task", ["title": nil, "notes": "m", "rank": nil])
            context.add("Scrap", ["text": "s"])
        }
    }

    /// Version 2 uses the entity's new name as the destination of the relationship.
    private func renamed() throws -> Versions {
        let versions = try versions()
        let contents = versions.bundle.appending(path: "V2.xcdatamodel/contents")
        let xml = try String(contentsOf: contents, encoding: .utf8)
        try Data(xml.replacing("destinationEntity=\"List\"", with: "destinationEntity=\"Group\"").utf8).write(
            to: contents
        )
        return versions
    }

    private func property(_ forecast: MigrationForecast, _ entity: String, _ name: String) -> PropertyForecast? {
        forecast.steps.first?.entities.first { ($0.destination ?? $0.source) == entity }?.properties.first {
            $0.name == name
        }
    }

    @Test func everyChangeIsReportedWithTheObjectsThatItConcerns() throws {
        let versions = try renamed()
        try fill(versions)
        let forecast = try MigrationForecaster.forecast(versions.store, to: try MigrationVersions(at: versions.bundle))
        #expect(forecast.isPossible && !forecast.isUpToDate)
        #expect((forecast.from, forecast.to) == ("V1", "V2"))
        let step = try #require(forecast.steps.first)
        expectEqual(forecast.steps.count, 1)
        expectNil(step.mapping)
        #expect(step.countsRows)
        let entities = step.entities.map { "\($0.kind) \($0.source ?? "-") \($0.destination ?? "-") \($0.rows ?? -1)" }
        expectEqual(Set(entities), ["removed Scrap - 1", "changed Task Task 3", "renamed List Group 1"])
        let title = try #require(property(forecast, "Task", "name"))
        expectEqual(title.kind, .renamed)
        expectEqual(title.source, "title")
        #expect(title.detail.contains("length <= 5"))
        let notes = try #require(property(forecast, "Task", "notes"))
        expectEqual(notes.kind, .dropped)
        expectEqual(notes.rows, 2)
        let rank = try #require(property(forecast, "Task", "rank"))
        expectEqual(rank.kind, .defaulted)
        expectEqual(rank.rows, 2)
        #expect(rank.detail.contains("default none → 3"))
        let size = try #require(property(forecast, "Task", "size"))
        expectEqual(size.kind, .added)
        expectEqual(size.rows, 3)
        expectEqual(size.detail, "Integer 32, required, default 7")
        expectNil(property(forecast, "Task", "code"))
        #expect(step.statements.contains { $0.contains(versions.schema == nil ? "ZGROUP" : "\"Group\"") })
        #expect(!step.statements.contains { $0.contains("?") })
    }

    @Test func objectsThatBreakNewRulesAreNamed() throws {
        let versions = try renamed()
        try fill(versions)
        let forecast = try MigrationForecaster.forecast(versions.store, to: try MigrationVersions(at: versions.bundle))
        let failures = try #require(forecast.steps.first?.failures)
        let failure = try #require(failures.first)
        expectEqual(failures.count, 1)
        #expect((failure.entity, failure.property, failure.count) == ("Task", "name", 1))
        #expect(!failure.prevents && failure.reason.contains("too long"))
        expectEqual(failure.examples.first?.hasSuffix("/Task/p2"), true)
        #expect(forecast.isPossible)
    }

    @Test(arguments: [
        ("mark", "optional=\"YES\" defaultValueString=\"x\"", 3), ("mark", "defaultValueString=\"x\"", 3),
        ("mark", "optional=\"YES\"", 0), ("code", "defaultValueString=\"a\"", 2), ("code", "optional=\"YES\"", 0),
    ])
    func defaultValuesPreventAUniquenessConstraintToo(name: String, options: String, count: Int) throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        let versions = try Versions(
            LightweightTests.entity("Task", Self.attribute("code")),
            LightweightTests.entity("Task", Self.attribute(name, "String", options) + unique)
        )
        try versions.fill { context in for code in ["a", nil, "c"] { context.add("Task", ["code": code]) } }
        let all = try MigrationVersions(at: versions.bundle)
        let forecast = try MigrationForecaster.forecast(versions.store, to: all)
        expectEqual(forecast.isPossible, count == 0)
        expectEqual(forecast.steps.first?.failures.map(\.count), count == 0 ? [] : [count])
        let route = try? MigrationRun.run(versions.store, to: all)
        expectEqual(route != nil, count == 0)
    }

    @Test func defaultValuesPreventAUniquenessConstraintThatWasThereToo() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        let versions = try Versions(
            LightweightTests.entity("Task", Self.attribute("code") + unique),
            LightweightTests.entity("Task", Self.attribute("code", "String", "defaultValueString=\"a\"") + unique)
        )
        try versions.fill { context in for code in ["b", nil, nil] { context.add("Task", ["code": code]) } }
        let all = try MigrationVersions(at: versions.bundle)
        let forecast = try MigrationForecaster.forecast(versions.store, to: all)
        expectEqual(forecast.steps.first?.failures.map(\.count), [2])
        expectNil(try? MigrationRun.run(versions.store, to: all))
    }

    @Test func valuesThatAreThereTwicePreventAUniquenessConstraint() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        let versions = try Versions(
            LightweightTests.entity("Task", Self.attribute("code")),
            LightweightTests.entity("Task", Self.attribute("code") + unique)
        )
        try versions.fill { context in
            for code in ["a", "b", "a", nil, nil, "c"] { context.add("Task", ["code": code]) }
        }
        let all = try MigrationVersions(at: versions.bundle)
        let forecast = try MigrationForecaster.forecast(versions.store, to: all)
        #expect(!forecast.isPossible)
        let failure = try #require(forecast.steps.first?.failures.first)
        #expect((failure.entity, failure.property, failure.count) == ("Task", "code", 2))
        #expect(failure.prevents)
        // The migration itself fails with the same problem.
        let error = try #require(throws: NSError.self) { () throws in try MigrationRun.run(versions.store, to: all) }
        expectEqual(error.code, NSMigrationError)
        expectEqual(error.userInfo["property"] as? String, "code")
    }

    @Test func objectsOfAnEntityThatIsNowAbstractPreventTheMigration() throws {
        let versions = try Versions(
            LightweightTests.entity("Task", Self.attribute("code")),
            LightweightTests.entity("Task", Self.attribute("code"), "isAbstract=\"YES\"")
        )
        try versions.fill { $0.add("Task", ["code": "a"]) }
        let forecast = try MigrationForecaster.forecast(versions.store, to: try MigrationVersions(at: versions.bundle))
        let failure = try #require(forecast.steps.first?.failures.first)
        #expect(!forecast.isPossible && failure.prevents)
        expectEqual(failure.count, 1)
        #expect(failure.reason.contains("abstract"))
    }

    @Test func anImpasseIsAForecastToo() throws {
        let versions = try Versions(
            LightweightTests.entity("Task", Self.attribute("code")),
            LightweightTests.entity("Task", Self.attribute("code", "Date"))
        )
        try versions.fill { $0.add("Task", ["code": "a"]) }
        let forecast = try MigrationForecaster.forecast(versions.store, to: try MigrationVersions(at: versions.bundle))
        #expect(!forecast.isPossible && forecast.steps.isEmpty)
        expectEqual(forecast.impasse.map { "\($0.entity).\($0.property ?? "")" }, ["Task.code"])
    }

    @Test func aForecastAndARehearsalWriteNothing() throws {
        let versions = try renamed()
        try fill(versions)
        let before = (try snapshot(versions.folder), try versions.content())
        let all = try MigrationVersions(at: versions.bundle)
        _ = try MigrationForecaster.forecast(versions.store, to: all)
        _ = try MigrationRehearsal.rehearse(versions.store, to: all) { _ in }
        #expect(try (snapshot(versions.folder), versions.content()) == before)
    }

    @Test func aRehearsalReportsEachObjectThatDiffers() throws {
        let versions = try renamed()
        try fill(versions)
        var lines: [String] = []
        let report = try MigrationRehearsal.rehearse(versions.store, to: try MigrationVersions(at: versions.bundle)) {
            let name = "\($0.entity)/\($0.source?.split(separator: "/").last ?? "-")"
            for change in $0.changes {
                lines.append("\(name) \(change.kind) \(change.property): \(change.old ?? "-") \(change.new ?? "-")")
            }
        }
        expectEqual(
            lines,
            [
                "Scrap/p1 dropped text: \"s\" -", "Task/p1 added size: - 7", "Task/p1 dropped notes: \"n\" -",
                "Task/p2 changed rank: - 3", "Task/p2 added size: - 7", "Task/p3 changed rank: - 3",
                "Task/p3 added size: - 7", "Task/p3 dropped notes: \"m\" -",
            ]
        )
        #expect(report.problems.isEmpty)
        expectEqual(report.broken.count, 1)
        expectEqual(report.broken.first?.contains("too long"), true)
        let counts = report.entities.map { "\($0.destination ?? "-") \($0.before) \($0.after) \($0.changed)" }
        expectEqual(Set(counts), ["- 1 0 1", "Task 3 3 3", "Group 1 1 0"])
    }

    @Test func aRehearsalNamesDatesOfAnyYearWithAllTheirDigits() throws {
        let versions = try Versions(
            LightweightTests.entity("Note", Self.attribute("a", "Date")),
            LightweightTests.entity("Note", Self.attribute("b"))
        )
        // A database refuses times that are so far away.
        let times = [-63_113_817_600, 0.0625] + (Versions.areInDatabase ? [] : [1e300])
        let dates = times.map { Date(timeIntervalSinceReferenceDate: $0) }
        try versions.fill { context in for date in dates { context.add("Note", ["a": date]) } }
        var texts: Set<String> = []
        _ = try MigrationRehearsal.rehearse(versions.store, to: try MigrationVersions(at: versions.bundle)) {
            texts.formUnion($0.changes.compactMap(\.old))
        }
        let expectedTexts: Set = ["0001-01-02T00:00:00Z", "2001-01-01T00:00:00.0625Z"]
        expectEqual(texts, Versions.areInDatabase ? expectedTexts : expectedTexts.union(["1e+300"]))
    }

    @Test func aRehearsalOverTwoStepsComparesTheEndsOnly() throws {
        let versions = try Versions(
            LightweightTests.entity("Note", Self.attribute("a") + Self.attribute("b")),
            LightweightTests.entity("Note", Self.attribute("c", "String", "optional=\"YES\" elementID=\"b\"")),
            LightweightTests.entity(
                "Note",
                Self.attribute("c") + Self.attribute("a", "Integer 16", "defaultValueString=\"2\"")
            )
        )
        try versions.fill { $0.add("Note", ["a": "x", "b": "y"]) }
        var changes: [String] = []
        let report = try MigrationRehearsal.rehearse(versions.store, to: try MigrationVersions(at: versions.bundle)) {
            changes += $0.changes.map { "\($0.kind) \($0.property) \($0.old ?? "-") \($0.new ?? "-")" }
        }
        expectEqual(report.steps.count, 2)
        #expect(report.problems.isEmpty)
        expectEqual(changes, ["added a - 2", "dropped a \"x\" -"])
    }

    @Test func aRehearsalByAMappingModelReportsTheDestinationOfEachObject() throws {
        let next =
            "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Note\" "
            + "inverseName=\"before\"/>"
        let before =
            "<relationship name=\"before\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Note\" "
            + "inverseName=\"next\"/>"
        let scrap = LightweightTests.entity("Scrap", Self.attribute("text"))
        let versions = try Versions(
            LightweightTests.entity("Note", Self.attribute("a") + Self.attribute("b") + next + before) + scrap,
            LightweightTests.entity("Note", Self.attribute("a") + Self.attribute("c") + next + before) + scrap
        )
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["a"], relationships: ["next"], versions)
        try versions.fill { context in
            let gone = context.add("Note", ["a": "gone"])
            let first = context.add("Note", ["a": "first", "b": "x"])
            context.add("Note", ["a": "second", "next": first])
            context.add("Scrap", ["text": "s"])
            try context.save()
            // Leaves a gap in the keys, so that new objects get different ones.
            context.delete(gone)
        }
        var lines: [String] = []
        let report = try MigrationRehearsal.rehearse(versions.store, to: try MigrationVersions(at: versions.bundle)) {
            for change in $0.changes {
                lines.append(
                    "\($0.entity) \(change.kind) \(change.property): \(change.old ?? "-") \(change.new ?? "-")"
                )
            }
        }
        #expect(report.problems.isEmpty)
        expectEqual(report.steps.first?.mapping, "V1ToV2.xcmappingmodel")
        expectEqual(lines, ["Note dropped b: \"x\" -", "Scrap dropped text: \"s\" -"])
        let counts = report.entities.map { "\($0.source ?? "-") \($0.before) \($0.after) \($0.gone)" }
        expectEqual(Set(counts), ["Note 2 2 0", "Scrap 1 0 1", "- 0 0 0"])
    }

    private func snapshot(_ folder: URL) throws -> [String: Data] {
        var result: [String: Data] = [:]
        for case let path as String in try #require(FileManager.default.enumerator(atPath: folder.path)) {
            result[path] = FileManager.default.contents(atPath: folder.appending(path: path).path) ?? Data()
        }
        return result
    }
}
