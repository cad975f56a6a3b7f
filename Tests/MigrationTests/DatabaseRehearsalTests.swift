// Plans and rehearsals of migrations in a database: other programs meanwhile, interruptions, permissions, leftovers.
import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import ManagedGraphTools
import PostgreSQLSupport
import Synchronization
import Testing

@Suite(
    "PostgreSQL: plans and rehearsals of migrations",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct DatabaseRehearsalTests {
    private static func attribute(_ name: String, _ type: String = "String", _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    private static let parent =
        "<relationship name=\"parent\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Note\" "
        + "inverseName=\"children\"/>"
        + "<relationship name=\"children\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Note\" "
        + "inverseName=\"parent\"/>"

    /// Notes whose title is renamed, with a number and an index in version 2.
    private func versions(count: Int = 3) throws -> Versions {
        let index =
            "<fetchIndex name=\"byNumber\"><fetchIndexElement property=\"number\" type=\"Binary\" "
            + "order=\"ascending\"/></fetchIndex>"
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                LightweightTests.entity("Note", Self.attribute("title") + Self.parent),
                LightweightTests.entity(
                    "Note",
                    Self.attribute("name", "String", "elementID=\"title\"")
                        + Self.attribute("number", "Integer 32", "defaultValueString=\"7\"") + Self.parent + index
                )
            )
        }
        try versions.fill { context in
            var last: NSManagedObject?
            for number in 0..<count { last = context.add("Note", ["title": "n\(number)", "parent": last]) }
        }
        return versions
    }

    private func all(_ versions: Versions) throws -> MigrationVersions { try MigrationVersions(at: versions.bundle) }

    private func schemas(_ versions: Versions) throws -> [String] {
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        return try PostgreSQLServer.shared()
            .execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%\(schema)%' ORDER BY 1")
            .compactMap { $0.first ?? nil }
    }

    @Test("A plan lists the statements that the migration runs, indexes and references among them")
    func plannedStepsAreRun() throws {
        let versions = try versions()
        let forecast = try MigrationForecaster.forecast(versions.store, to: try all(versions))
        #expect(forecast.isPossible)
        expectEqual(forecast.type, "PostgreSQL")
        let planned = try #require(forecast.steps.first?.statements)
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        #expect(
            planned.contains("ALTER TABLE \"\(schema)\".\"Note\" RENAME COLUMN \"title\" TO \"name\""),
            "\(planned)"
        )
        #expect(planned.contains { $0.hasPrefix("CREATE INDEX") && $0.contains("\"number\"") }, "\(planned)")
        expectEqual(forecast.steps.first?.entities.first?.path, .inPlace)
        let run = try versions.statements { try MigrationRun.run(versions.store, to: try all(versions)) }
        for statement in planned { #expect(run.contains(statement), "\(statement)") }
    }

    @Test("A rehearsal compares with the moment of its copy while others write, and removes the copy")
    func othersWriteMeanwhile() throws {
        let versions = try versions(count: 1_200)
        var differences: [ObjectDifference] = []
        let report = try MigrationRehearsal.rehearse(versions.store, to: try all(versions)) { difference in
            if differences.isEmpty {
                try SchemaTables.execute("UPDATE \"Note\" SET title = 'late', parent = NULL", at: versions.store)
                try SchemaTables.execute("INSERT INTO \"Note\" (_id) VALUES (90000)", at: versions.store)
                #expect(try schemas(versions).contains { $0.hasPrefix("_rehearsal_") })
            }
            differences.append(difference)
        }
        expectEqual(report.problems, [])
        expectEqual(differences.count, 1_200)
        expectEqual(Set(differences.flatMap { $0.changes.map { "\($0.kind) \($0.property)" } }), ["added number"])
        expectEqual(report.entities.map(\.after), [1_200])
        try expectEqual(schemas(versions).count, 1)
        try versions.use(2) { try expectEqual($0.all("Note").count, 1_201) }
    }

    @Test("A rehearsal copies a store whose own tables have got a column after the others")
    func upgradedTables() throws {
        let versions = try versions()
        try SchemaTables.execute("ALTER TABLE _change DROP COLUMN count", at: versions.store)
        try SchemaTables.execute("ALTER TABLE _change ADD COLUMN count integer NOT NULL DEFAULT 1", at: versions.store)
        let report = try MigrationRehearsal.rehearse(versions.store, to: try all(versions)) { _ in }
        expectEqual(report.problems, [])
        expectEqual(report.entities.map(\.after), [3])
    }

    @Test("A rehearsal that is cancelled while a statement runs ends soon, and leaves nothing")
    func cancelled() throws {
        let versions = try versions()
        let blocker = try PostgreSQLConnection(try DatabaseAddress(versions.store.absoluteString))
        defer { blocker.close() }
        try blocker.execute("BEGIN")
        try blocker.execute("LOCK TABLE \(try quoted(versions)).\"Note\" IN ACCESS EXCLUSIVE MODE")
        let began = ContinuousClock.now
        #expect(throws: CancellationError.self) {
            _ = try MigrationRehearsal.rehearse(
                versions.store,
                to: try all(versions),
                difference: { _ in },
                isWanted: { ContinuousClock.now - began < .milliseconds(300) }
            )
        }
        #expect(throws: CancellationError.self) {
            _ = try MigrationRun.run(
                versions.store,
                to: try all(versions),
                isWanted: { ContinuousClock.now - began < .milliseconds(600) }
            )
        }
        #expect(ContinuousClock.now - began < .seconds(20))
        try blocker.execute("COMMIT")
        try expectEqual(schemas(versions).count, 1)
        try versions.use(1) { try expectEqual($0.values("title", "Note"), ["n0", "n1", "n2"]) }
    }

    @Test("A migration that is cancelled by its last report of progress changes nothing")
    func cancelledAtTheEnd() throws {
        let versions = try versions()
        #expect(throws: CancellationError.self) {
            _ = try MigrationRun.run(
                versions.store,
                to: try all(versions),
                progress: { if $0 >= 1 { throw CancellationError() } }
            )
        }
        try versions.use(1) { try expectEqual($0.values("title", "Note"), ["n0", "n1", "n2"]) }
    }

    private func quoted(_ versions: Versions) throws -> String {
        "\"\(try DatabaseAddress(versions.store.absoluteString).schema)\""
    }

    @Test("A second rehearsal at the same time is refused, and the copy of a killed one is removed")
    func oneAtATime() throws {
        let versions = try versions()
        let all = try all(versions)
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        try PostgreSQLServer.shared()
            .execute(
                "CREATE SCHEMA \"_rehearsal_\(schema)\"; COMMENT ON SCHEMA \"_rehearsal_\(schema)\" IS "
                    + "'A rehearsal of a migration by ManagedGraph; it may be dropped.'"
            )
        var refusal: NSError?
        let report = try MigrationRehearsal.rehearse(versions.store, to: all) { _ in
            guard refusal == nil else { return }
            refusal = #expect(throws: NSError.self) {
                _ = try MigrationRehearsal.rehearse(versions.store, to: all) { _ in }
            }
        }
        expectEqual(report.problems, [])
        expectEqual(refusal?.localizedDescription.contains("Another rehearsal"), true, "\(String(describing: refusal))")
        try expectEqual(schemas(versions).count, 1)
    }

    @Test("A schema with other content in the place of the copy is left alone")
    func otherContent() throws {
        let versions = try versions()
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        try PostgreSQLServer.shared().execute("CREATE SCHEMA \"_rehearsal_\(schema)\"")
        let error = #expect(throws: NSError.self) {
            _ = try MigrationRehearsal.rehearse(versions.store, to: try all(versions)) { _ in }
        }
        expectEqual(error?.localizedRecoverySuggestion?.contains("Rename that schema"), true)
        try expectEqual(schemas(versions).count, 2)
    }

    @Test("A user who may not create schemas can plan, and gets the statement that permits a rehearsal")
    func notPermitted() throws {
        let versions = try versions()
        let schema = try DatabaseAddress(versions.store.absoluteString).schema
        let role = "r_\(schema)"
        try PostgreSQLServer.shared()
            .execute(
                "CREATE ROLE \"\(role)\" LOGIN; GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\"; "
                    + "GRANT SELECT ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(role)\""
            )
        let address = versions.store.absoluteString.replacing("://\(PostgreSQLServer.user)@", with: "://\(role)@")
        let url = try #require(URL(string: address))
        #expect(try MigrationForecaster.forecast(url, to: try all(versions)).isPossible)
        let error = #expect(throws: NSError.self) {
            _ = try MigrationRehearsal.rehearse(url, to: try all(versions)) { _ in }
        }
        expectEqual(error?.localizedRecoverySuggestion?.contains("GRANT CREATE ON DATABASE postgres TO"), true)
    }

    @Test("While two versions stand side by side, the plan says why the migration is refused")
    func sideBySide() throws {
        let versions = try versions()
        try PostgreSQLVersions(at: versions.store, model: try versions.model(2)).expand()
        let forecast = try MigrationForecaster.forecast(versions.store, to: try all(versions))
        #expect(!forecast.isPossible)
        expectEqual(forecast.steps.first?.obstacles.first?.contains("side by side"), true)
    }

    @Test("Over the tables of other programs the plan is of views, and a rehearsal is refused with the reason")
    func existingTables() throws {
        func entity(_ attributes: String) -> String {
            LightweightTests.entity(
                "Note",
                attributes + "<userInfo><entry key=\"SQLKeyColumn\" value=\"id\"/></userInfo>"
            )
        }
        let versions = try Versions.$areInDatabase.withValue(true) {
            try Versions(
                entity(Self.attribute("title")),
                entity(Self.attribute("title") + Self.attribute("more")),
                entity(Self.attribute("title") + Self.attribute("absent"))
            )
        }
        let server = try PostgreSQLServer.shared()
        let legacy = try server.makeSchema()
        try server.execute(
            "CREATE TABLE \(legacy).\"Note\" (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, title text, more text)"
        )
        let url = try #require(URL(string: versions.store.absoluteString + "&tables=\(legacy)"))
        try versions.use(1, at: url) { context in
            context.add("Note", ["title": "a"])
            try context.save()
        }
        let second = try MigrationVersions(at: versions.bundle, version: "V2")
        let forecast = try MigrationForecaster.forecast(url, to: second)
        let step = try #require(forecast.steps.first)
        #expect(forecast.isPossible)
        expectEqual(step.entities.first?.path, .untouched)
        expectEqual(step.statements.map { $0.prefix(9) }, ["DROP VIEW", "CREATE VI"], "\(step.statements)")
        let error = #expect(throws: NSError.self) { _ = try MigrationRehearsal.rehearse(url, to: second) { _ in } }
        expectEqual(error?.localizedDescription.contains("tables of other programs"), true)
        let third = try MigrationForecaster.forecast(url, to: try MigrationVersions(at: versions.bundle, version: "V3"))
        #expect(!third.isPossible)
        expectEqual(third.steps.first?.obstacles.first?.contains("absent"), true)
    }
}

extension Versions {
    /// The statements that the database runs during `body`, on any connection of this process.
    fileprivate func statements(_ body: () throws -> Void) throws -> [String] {
        let texts = Mutex<[String]>([])
        let isOn = ObservationSwitch()
        isOn.isOn = true
        let dialect = PostgreSQLDialect()
        let monitor = StatementMonitor(
            isOn,
            record: { event in
                let statement = SQLStatement(event.text, event.bindings).printed(in: dialect)
                texts.withLock { $0.append(statement) }
            },
            deliver: {}
        )
        try monitor.monitoringNewConnections(body)
        return texts.withLock { $0 }
    }
}
