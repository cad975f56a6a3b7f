import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import TestSupport
import Testing

@Suite("Random predicates")
struct DifferentialTests {
    @Test(arguments: [false, true])
    func `Random predicates admit the same rows in SQL and in memory`(_ isRare: Bool) throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["PREDICATE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let count = environment["PREDICATE_CASES"].flatMap { Int($0) } ?? 1_500
        print("PREDICATE_SEED=\(seed) PREDICATE_CASES=\(count)")
        // SQLite has fewer digits of decimals than memory.
        let isWide = isRare && environment["PREDICATE_WIDE"] != nil
        var random = SeededNumbers(seed: seed)
        var (refused, admitted) = (0, 0)
        for round in 0..<max(count / 100, 1) {
            // The sample model covers rare combinations; random models cover unexpected ones.
            let model = round % 2 == 0 ? nil : RandomModel(&random, isWide: isWide)
            let store =
                try model?.makeStore(&random, isWide: isWide) ?? RandomPredicates.makeStore(&random, isWide: isWide)
            for _ in 0..<min(count, 100) {
                var generator = RandomPredicates(random: random, store: store)
                generator.isRare = isRare
                generator.isWide = isWide
                if isWide, model == nil { generator.graph.attributes["Task"]?[.number]?.append("cost") }
                if let model { generator.graph = model.graph }
                let entity = generator.random.pick(model?.names ?? ["Task", "Task", "Place", "Tag", "Step", "Home"])
                let node = generator.predicate(entity == "Home" ? "Place" : entity)
                random = generator.random
                do {
                    let sql = try store.keysInSQL(entity, node)
                    let memory = try store.keysInMemory(entity, node)
                    admitted += memory.count
                    guard sql != memory else { continue }
                    let statement = try store.translate(FetchPlan(entity: entity, predicate: node)).statement
                    Issue.record(
                        """
                        PREDICATE_SEED=\(seed): \(entity) where \(PredicatePrinter.print(node))
                        memory \(memory), SQL \(sql)
                        \(statement.text) \(statement.bindings)
                        \(model.map { "\($0.graph)" } ?? "the sample model")
                        """
                    )
                    return
                } catch let error as EvaluationError {
                    Issue.record(
                        """
                        PREDICATE_SEED=\(seed): \(entity) where \(PredicatePrinter.print(node))
                        \(error)
                        \(model.map { "\($0.graph)" } ?? "the sample model")
                        """
                    )
                    return
                } catch let error as TranslationError {
                    // Comparisons of different kinds, mostly in TERNARY or between two nils, are refused but rare.
                    refused += 1
                    if !isRare { expectEqual(error.kind, .incomparable, "\(error)") }
                }
            }
        }
        #expect(refused < count / 10, "\(refused) of \(count) refused")
        #expect(admitted > count)
    }
}
