import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import Testing

@Suite("Shapes")
struct TranslationCacheTests {
    private func plan(_ format: String, _ arguments: Any?...) throws -> FetchPlan {
        FetchPlan(entity: "Task", predicate: try PredicateParser.parse(format: format, arguments: arguments))
    }

    @Test func `Constants of one form share a translation and keep their values`() throws {
        let store = try SampleStore.known()
        for number in 0..<10 {
            let fetch = try store.translate(try plan("priority == %@ AND text == %@", number, "t\(number)"))
            expectEqual(fetch.statement.bindings, [.integer(Int64(number)), .text("t\(number)")])
        }
        #expect(store.translator.cacheCounts == (hits: 9, misses: 1))
    }

    @Test func `Lists of about one length share a translation`() throws {
        let store = try SampleStore.known()
        let statements = try Set(
            (5...8).map { try store.translate(plan("priority IN %@", Array(0..<$0))).statement.text }
        )
        expectEqual(statements.count, 1)
        expectEqual(store.translator.cacheCounts.misses, 1)
        _ = try store.translate(plan("priority IN %@", Array(0..<9)))
        _ = try store.translate(plan("priority IN %@", Array(0..<1_000)))
        _ = try store.translate(plan("priority IN %@", Array(0..<2_000)))
        expectEqual(store.translator.cacheCounts.misses, 3)
    }

    @Test func `Limits and offsets share a translation`() throws {
        let store = try SampleStore.known()
        for offset in 1..<5 {
            let fetch = try store.translate(FetchPlan(entity: "Task", limit: 10 * offset, offset: offset))
            expectEqual(fetch.statement.bindings, [.integer(Int64(10 * offset)), .integer(Int64(offset))])
        }
        expectEqual(store.translator.cacheCounts.misses, 1)
    }

    @Test func `What differs in anything but values is translated for itself`() throws {
        let store = try SampleStore.known()
        var plans = try [
            plan("priority == 1"), plan("priority == nil"), plan("priority != 1"), plan("priority == 1.5"),
            plan("effort == 1"), plan("NOT priority == 1"), plan("text == 'a'"), plan("text ==[c] 'a'"),
            plan("ANY tags.rank == 1"), plan("ALL tags.rank == 1"), plan("priority IN %@", [1]),
            plan("priority IN %@", [1, NSNull()]), plan("location == %@", store.objects["Place"]?[0]),
            plan("location == %@", store.objects["Task"]?[0]), plan("CAST(dueDate, 'NSNumber') == 1"),
            plan("steps[FIRST].weight == 1"), plan("steps[LAST].weight == 1"),
            plan("SUBQUERY(tags, $x, $x.rank == 1).@count == 1"), plan("a.b.@count == 0 OR TRUEPREDICATE"),
        ]
        plans[plans.count - 1] = FetchPlan(entity: "Task")
        plans.append(FetchPlan(entity: "Tag"))
        plans.append(FetchPlan(entity: "Task", sort: [SortTerm(["text"])]))
        plans.append(FetchPlan(entity: "Task", sort: [SortTerm(["text"], ascending: false)]))
        plans.append(FetchPlan(entity: "Task", limit: 1))
        plans.append(FetchPlan(entity: "Task", columns: [.primaryKey]))
        plans.append(FetchPlan(entity: "Task", form: .count))
        for plan in plans + plans.reversed() { _ = try store.translate(plan) }
        #expect(store.translator.cacheCounts == (hits: plans.count, misses: plans.count))
    }

    @Test func `Endless shapes do not fill the memory`() throws {
        let translator = FetchTranslator(schema: SampleModel.schema, capacity: 4)
        for number in 0..<20 {
            let path = Array(repeating: "parent", count: number % 10) + ["text"]
            let fetch = try translator.translate(FetchPlan(entity: "Task", sort: [SortTerm(path)]))
            expectEqual(fetch.statement.text.components(separatedBy: "JOIN").count, number % 10 + 1)
        }
    }

    @Test func `Many threads translate at once`() async throws {
        let translator = FetchTranslator(schema: SampleModel.schema)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        let format = "priority == \(number) AND text \(worker % 2 == 0 ? "==" : "!=") 'x'"
                        let fetch = try translator.translate(
                            FetchPlan(entity: "Task", predicate: try parsed(format))
                        )
                        expectEqual(fetch.statement.bindings, [.integer(Int64(number)), .text("x")])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
