// Forms of #Predicate without an SQL equivalent: rejected by name with an alternative, but evaluated in memory.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct RefusedSwiftPredicateTests {
    private func check(_ predicate: Predicate<Plan>, form: String, alternative: String) throws {
        let plans = try SwiftPredicateTests.Plans()
        do {
            _ = try NSPredicate(validating: predicate)
            Issue.record("\(form) was converted")
        } catch let error as UnconvertiblePredicate {
            #expect(error.form.contains(form), "\(error)")
            #expect(error.alternative.contains(alternative), "\(error)")
        }
        try plans.context.performAndWait { () throws in
            let request = NSFetchRequest<Plan>(entityName: "Plan")
            let all = try plans.context.fetch(request)
            let converted = try #require(NSPredicate(predicate))
            try expectEqual(
                all.filter { converted.evaluate(with: $0) },
                (try all.filter { try predicate.evaluate($0) })
            )
            for refused in [converted, converted.withSubstitutionVariables(["x": 1])] {
                request.predicate = refused
                do {
                    _ = try plans.context.fetch(request)
                    Issue.record("\(form) was fetched")
                } catch {
                    let error = error as NSError
                    #expect(error.localizedDescription.contains(form), "\(error)")
                    expectEqual(error.localizedRecoverySuggestion?.contains(alternative), true, "\(error)")
                }
            }
        }
    }

    @Test("A fetch with a predicate without a condition fails, and says which to use")
    func placeholder() throws {
        let plans = try SwiftPredicateTests.Plans()
        let request = NSFetchRequest<Plan>(entityName: "Plan")
        request.predicate = NSPredicate()
        plans.context.performAndWait {
            do {
                _ = try plans.context.fetch(request)
                Issue.record("it was fetched")
            } catch {
                let error = error as NSError
                #expect(error.localizedDescription.contains("NSPredicate()"), "\(error)")
                expectEqual(error.localizedRecoverySuggestion?.contains("NSPredicate(value: true)"), true, "\(error)")
            }
        }
    }

    @Test("Rejects computed properties with their key path")
    func computed() throws {
        try check(#Predicate { $0.shout == "A" }, form: "of Plan", alternative: "Use properties of the model")
    }

    @Test("Rejects type checks and casts of objects")
    func types() throws {
        try check(#Predicate { $0 is LongPlan }, form: "TypeCheck", alternative: "Fetch the subentity's class")
        try check(
            #Predicate { ($0 as? LongPlan)?.phases == 1 },
            form: "ConditionalCast",
            alternative: "Fetch the subentity's class"
        )
    }

    @Test("Rejects minima of values, slices and dictionaries")
    func collections() throws {
        let names = ["a": "b"]
        try check(
            #Predicate { $0.labels.filter { $0.value > 1 }.count > 0 && $0.title.max() == nil },
            form: "SequenceMaximum",
            alternative: "@max"
        )
        try check(#Predicate { $0.title.min() == nil }, form: "SequenceMinimum", alternative: "@min")
        try check(
            #Predicate { names[$0.title] == "b" },
            form: "DictionaryKeySubscript",
            alternative: "Look the value up"
        )
        try check(
            #Predicate { names[$0.title, default: ""] == "b" },
            form: "DictionaryKeyDefaultValueSubscript",
            alternative: "Look the value up"
        )
    }
}
