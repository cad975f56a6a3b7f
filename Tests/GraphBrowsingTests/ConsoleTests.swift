// The console: fetches with their SQL and plan, groups, saved queries; exports.
import ExpectationSupport
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph
import Testing

struct Console {
    @Test func aFetchComesWithItsSQLValuesAndPlan() async throws {
        let kennel = try Kennel()
        let result = try await kennel.session.run(ConsoleRequest(entity: "Pet", predicate: "weight > 5"))
        expectEqual(result.rows.map { $0[0].object?.title }, ["Ace", "Cody", "Duke", "Echo"])
        expectEqual(result.plan.sql?.contains("FROM ZPET"), true)
        #expect(result.plan.bindings.contains("5.0") || result.plan.bindings.contains("5"))
        expectEqual(result.plan.steps.isEmpty, false)
        expectEqual(result.plan.rows, 4)
        #expect(result.swift.contains("NSPredicate(format: \"weight > 5\")"))
    }

    @Test func groupsHaveAggregates() async throws {
        let kennel = try Kennel()
        var request = ConsoleRequest(
            entity: "Pet",
            groupBy: ["owner.name"],
            aggregates: [.init("count"), .init("sum", of: "weight"), .init("max", of: "weight")]
        )
        request.sort = ["owner.name"]
        let result = try await kennel.session.run(request)
        expectEqual(result.columns.map(\.name), ["owner.name", "count", "sum_weight", "max_weight"])
        expectEqual(
            result.rows.map { $0.map { $0.text ?? "–" } },
            [
                ["–", "1", "7.25", "7.25"], ["Ada", "2", "15.5", "12.5"], ["Bob", "2", "50.0", "30.0"],
            ]
        )
        request.having = "count > 1"
        #expect(try await kennel.session.run(request).rows.count == 2)
        expectEqual(result.plan.sql?.contains("GROUP BY"), true)
    }

    @Test func anErrorNamesThePlaceOrTheChoices() async throws {
        let session = try Kennel().session
        await #expect(throws: PredicateProblem.self) {
            try await session.run(ConsoleRequest(entity: "Pet", predicate: "weight >"))
        }
        let error = await #expect(throws: NSError.self) {
            try await session.run(ConsoleRequest(entity: "Pet", groupBy: ["colour"]))
        }
        expectEqual(error?.localizedRecoverySuggestion?.contains("weight"), true)
        await #expect(throws: NSError.self) {
            try await session.run(ConsoleRequest(entity: "Pet", aggregates: [.init("product", of: "weight")]))
        }
    }

    @Test func queriesAreSavedBesideTheModel() async throws {
        let kennel = try Kennel()
        let file = SavedQueryFile(beside: kennel.folder.appending(path: "Shop.xcdatamodeld"))
        #expect(try await file.list().isEmpty)
        _ = try await file.save(SavedQuery("Heavy", ConsoleRequest(entity: "Pet", predicate: "weight > 10")))
        let all = try await file.save(SavedQuery("All", ConsoleRequest(entity: "Pet")))
        expectEqual(all.map(\.name), ["All", "Heavy"])
        let again = SavedQueryFile(beside: kennel.folder.appending(path: "Shop.xcdatamodeld"))
        #expect(try await again.list().last?.request.predicate == "weight > 10")
        expectEqual(file.url.lastPathComponent, "Shop.queries.json")
        #expect(try await again.remove("All").map(\.name) == ["Heavy"])
        try Data("[1]".utf8).write(to: file.url)
        await #expect(throws: NSError.self) { try await file.save(SavedQuery("All", ConsoleRequest(entity: "Pet"))) }
        try expectEqual(Data(contentsOf: file.url), Data("[1]".utf8))
    }

    @Test func rowsAreExportedAsTheyAreShown() async throws {
        let kennel = try Kennel()
        func text(_ form: ExportForm) async throws -> String {
            let request = RowRequest(
                entity: "Owner",
                predicate: "name != \"Cleo\"",
                sort: ["-name"],
                columns: ["name", "born", "photo", "pets"],
                limit: 0
            )
            var data = Data()
            try await kennel.session.export(request, as: form) { data += $0 }
            return String(decoding: data, as: UTF8.self)
        }
        #expect(
            try await text(.csv) == """
                id,name,born,photo,pets
                Owner/p2,Bob,,iVBORwECAw==,2
                Owner/p1,Ada,2001-01-01T00:00:00.500Z,,2

                """
        )
        let json = try await JSONSerialization.jsonObject(with: Data(text(.json).utf8)) as? [[String: Any]]
        expectEqual(json?.count, 2)
        expectEqual(json?[1]["name"] as? String, "Ada")
        expectEqual(json?[0]["pets"] as? Int, 2)
    }
}
