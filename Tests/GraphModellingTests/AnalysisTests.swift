// Hashes, forecasts, classes, tables and predicates of an edited model.
import ExpectationSupport
import Foundation
import GraphModelling
import Testing

struct AnalysisTests {
    private func withSession(_ body: (ModelSession) throws -> Void) throws {
        let folder = try ModelFolder(versions: ["Model": ModelFolder.sample], current: "Model")
        defer { folder.remove() }
        try body(try ModelSession(opening: folder.url))
    }

    private func outcome(_ session: ModelSession) -> ForecastPicture.Outcome? {
        session.analysis().forecasts.first?.outcome
    }

    @Test func theForecastFollowsTheEdits() throws {
        try withSession { session in
            expectEqual(outcome(session), .opens)
            #expect(session.analysis().hashes.filter(\.isChanged).isEmpty)
            // A default value leaves the hashes as they are.
            let priority = ModelPlace(entity: "Task", property: "priority")
            try session.apply(.set(place: priority, field: "defaultValue", value: .text("2")))
            expectEqual(outcome(session), .opens)
            try session.apply(.addProperty(entity: "Task", kind: .attribute, name: "note"))
            expectEqual(outcome(session), .migrates)
            expectEqual(session.analysis().hashes.filter(\.isChanged).map(\.entity), ["Task"])
            let note = ModelPlace(entity: "Task", property: "note")
            try session.apply(.set(place: note, field: "isOptional", value: .flag(false)))
            expectEqual(outcome(session), .refuses)
            let reason = session.analysis().forecasts.first?.reasons.first
            expectEqual(reason?.property, "note")
            expectEqual(reason?.remedy.contains("default value"), true)
            session.undo()
            expectEqual(outcome(session), .migrates)
        }
    }

    @Test func thePreviousVersionHasAForecastToo() throws {
        try withSession { session in
            try session.addVersion()
            expectEqual(session.analysis().forecasts.map(\.from), ["Model"])
            try session.apply(.remove(place: ModelPlace(entity: "Task", property: "photo")))
            expectEqual(session.analysis().forecasts.map(\.outcome), [.migrates])
        }
    }

    @Test func aModelWithErrorsHasNoForecast() throws {
        let text = ModelFolder.sample.replacingOccurrences(of: "parentEntity=\"Item\"", with: "parentEntity=\"No\"")
        let folder = try ModelFolder(versions: ["Model": text], current: "Model")
        defer { folder.remove() }
        let session = try ModelSession(opening: folder.url)
        expectEqual(outcome(session), .unknown)
        try expectEqual(session.analysis(ofEntity: "Task").unavailable?.contains("superentity"), true)
    }

    @Test func problemsAreAtTheirRequestsAndConfigurations() throws {
        let request = "<fetchRequest name=\"Urgent\" entity=\"Task\" predicateString=\"priority &gt; $least\"/>"
        let configuration = "<configuration name=\"Cloud lists\"><memberEntity name=\"Chore\"/></configuration>"
        let text = ModelFolder.sample
            .replacingOccurrences(
                of: request,
                with: request + "<fetchRequest name=\"Urgent is\" entity=\"Chore\"/>"
            )
            .replacingOccurrences(
                of: "</configuration>",
                with: "</configuration>" + configuration
            )
        let folder = try ModelFolder(versions: ["Model": text], current: "Model")
        defer { folder.remove() }
        let places = Set(try ModelSession(opening: folder.url).picture().problems.map(\.place))
        expectEqual(places, [ModelPlace(request: "Urgent is"), ModelPlace(configuration: "Cloud lists")])
    }

    @Test func anEntityHasItsClassAndItsTables() throws {
        try withSession { session in
            let analysis = try session.analysis(ofEntity: "Task")
            expectEqual(analysis.files.map(\.name), ["Task+CoreDataClass.swift", "Task+CoreDataProperties.swift"])
            #expect(analysis.files[1].text.contains("@NSManaged public var priority: Int16"))
            #expect(analysis.statements[0].hasPrefix("CREATE TABLE ZITEM"))
            #expect(analysis.statements.contains { $0.contains("INDEX Z_Task_byPriority") })
            expectEqual(analysis.hash.count, 64)
            expectEqual(analysis.hash, analysis.savedHash)
            #expect(throws: ModelSessionError.self) { try session.analysis(ofEntity: "Nothing") }
        }
    }

    @Test func predicatesAreCheckedAsTyped() throws {
        try withSession { session in
            #expect(session.check(predicate: "priority > $least AND list.name == 'x'", entity: "Task").isValid)
            let syntax = session.check(predicate: "priority > ", entity: "Task")
            #expect(!syntax.isValid)
            expectEqual(syntax.position, 11)
            let unknown = session.check(predicate: "rank > 1", entity: "Task")
            #expect(!unknown.isValid)
            expectNil(unknown.position)
            expectEqual(unknown.message?.contains("rank"), true)
            #expect(session.check(predicate: "list == $FETCH_SOURCE", entity: "Task", source: "List").isValid)
            #expect(session.check(predicate: " ", entity: "Task").isValid)
        }
    }

    @Test func comparisonsGoDownToTheSetting() throws {
        try withSession { session in
            try session.apply(
                .set(place: ModelPlace(entity: "List", property: "tasks"), field: "deleteRule", value: .text("Deny"))
            )
            let comparison = try session.compare(from: nil, to: "Model")
            let change = comparison.entities.first?.properties.first?.changes.first
            expectEqual(change?.field, "deleteRule")
            expectEqual(change?.before, "Cascade")
            expectEqual(change?.after, "Deny")
            expectEqual(change?.isHashed, false)
            expectEqual(comparison.forecast.outcome, .opens)
        }
    }
}
