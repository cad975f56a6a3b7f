// Foundation's #Predicate on managed objects: SQL returns the objects for which Foundation evaluates to true.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct SwiftPredicateTests {
    /// Fetches with a predicate, and filters with Foundation's own evaluation.
    struct Plans {
        let stack: Stack
        let context: NSManagedObjectContext

        init() throws {
            stack = try Stack(model: PlansModel.make())
            context = stack.context
            try stack.context.performAndWait { [context] in try PlansModel.fill(context) }
        }

        /// Compares the results, and returns the converted predicate's format.
        @discardableResult
        func check(
            _ predicate: Predicate<Plan>,
            _ note: String = "",
            _ location: SourceLocation = #_sourceLocation
        ) throws -> String {
            let converted = try NSPredicate(validating: predicate)
            try context.performAndWait {
                let request = NSFetchRequest<Plan>(entityName: "Plan")
                let all = try context.fetch(request)
                let expected = try all.filter { try predicate.evaluate($0) }
                request.predicate = NSPredicate(predicate)
                let matches = try context.fetch(request)
                expectEqual(
                    Set(matches.map(\.objectID)),
                    Set(expected.map(\.objectID)),
                    "\(note) \(converted.printedText): \(matches.count) of \(expected.count)",
                    sourceLocation: location
                )
                // The predicate tree gives the same result in memory.
                let inMemory = all.filter { converted.evaluate(with: $0) }
                expectEqual(
                    Set(inMemory.map(\.objectID)),
                    Set(expected.map(\.objectID)),
                    "\(note) in memory: \(converted.printedText): \(inMemory.count) of \(expected.count)",
                    sourceLocation: location
                )
            }
            return converted.printedText
        }
    }

    @Test("Comparisons, conditions and constants work as in Swift")
    func comparisons() throws {
        let plans = try Plans()
        let title = "b"
        let limit: Int64 = 2
        let date = Date(timeIntervalSinceReferenceDate: 3 * 86_400)
        try expectEqual(plans.check(#Predicate { $0.title == "a" && $0.rank > 3 }), "title == \"a\" AND rank > 3")
        try plans.check(#Predicate { $0.title == title || $0.rank == limit })
        try plans.check(#Predicate { $0.title != title && !($0.rank >= limit) })
        try plans.check(#Predicate { 2 < $0.rank })
        try plans.check(#Predicate { $0.rank <= 2 && $0.weight >= 0.5 && $0.weight != 0.75 })
        try plans.check(#Predicate { $0.title < "b" })
        try plans.check(#Predicate { $0.due == date })
        try plans.check(#Predicate { $0.due != date })
        try plans.check(#Predicate { $0.title == "Éclair" })
        try plans.check(#Predicate { $0.title == "éclair" })
        try plans.check(#Predicate { $0.title != "éclair" })
        try plans.check(#Predicate { _ in true })
        try plans.check(#Predicate { $0.isDone })
        try plans.check(#Predicate { !$0.isDone })
        try plans.check(#Predicate { $0.isDone == false && $0.isDone != true })
        try plans.check(#Predicate { $0.isDone == ($0.rank > 1) })
        try plans.check(#Predicate { $0.isDone != ($0.rank > 1) })
        try plans.check(#Predicate { $0.rank > 1 ? $0.isDone : $0.title == "a" })
        try plans.check(#Predicate { ($0.rank > 1 ? $0.weight : 0.5) > 0.3 })
        try plans.check(#Predicate { if $0.rank > 1 { $0.isDone } else { $0.note == nil } })
    }

    @Test("A scalar without a value in the store reads as zero, in SQL as in Swift")
    func missingScalars() throws {
        let plans = try Plans()
        try expectEqual(plans.check(#Predicate { $0.rank == 0 }), "rank == 0 OR rank == nil")
        try plans.check(#Predicate { $0.rank != 0 })
        try plans.check(#Predicate { $0.rank < 1 })
        try plans.check(#Predicate { $0.weight < 0.1 })
        try plans.check(#Predicate { $0.rank + 1 == 1 })
        try plans.check(#Predicate { $0.place == nil || $0.rank == $0.place!.floor })
        try plans.check(#Predicate { $0.place?.floor == 0 })
        try plans.check(#Predicate { ($0.place?.floor ?? 3) > 2 })
    }

    @Test("Optionals work as in Swift")
    func optionals() throws {
        let plans = try Plans()
        let none: String? = nil
        let some: String? = "beta"
        let first = Date(timeIntervalSinceReferenceDate: 86_400)
        try expectEqual(plans.check(#Predicate { $0.note == nil }), "note == nil")
        try plans.check(#Predicate { $0.note != nil && $0.note != "a" })
        try plans.check(#Predicate { $0.note != "a" })
        try plans.check(#Predicate { $0.note == none })
        try plans.check(#Predicate { $0.note == some })
        try plans.check(#Predicate { ($0.note ?? "beta") == "beta" })
        try plans.check(#Predicate { ($0.note ?? "beta") != "beta" })
        try plans.check(#Predicate { ($0.note ?? $0.title) == "beta" })
        try plans.check(#Predicate { ($0.note ?? "").contains("a") })
        try plans.check(#Predicate { $0.note?.contains("a") ?? true })
        try plans.check(#Predicate { $0.note?.contains("a") ?? false })
        try plans.check(#Predicate { $0.note?.contains("a") == false })
        try plans.check(#Predicate { $0.note?.contains("a") != true })
        try plans.check(#Predicate { $0.note?.contains("a") == nil })
        try expectEqual(plans.check(#Predicate { $0.place?.name == "Home" }), "place.name == \"Home\"")
        try plans.check(#Predicate { $0.place?.name == nil })
        try plans.check(#Predicate { $0.place?.within?.name == "Home" })
        try plans.check(#Predicate { $0.place?.within == nil })
        try plans.check(#Predicate { $0.place == nil })
        try plans.check(#Predicate { ($0.place?.within?.name ?? "office") == "office" })
        try plans.check(#Predicate { ($0.place?.within?.name ?? "office") < "P" })
        try plans.check(#Predicate { $0.place?.name?.isEmpty ?? true })
        try plans.check(#Predicate { $0.due != nil && $0.due! > first })
        try plans.check(#Predicate { if let note = $0.note { note.count > 4 } else { $0.rank > 0 } })
        try plans.check(#Predicate { $0.place.flatMap { $0.floor > 1 } ?? false })
        try plans.check(#Predicate { !($0.place.flatMap { $0.floor > 1 } ?? true) })
    }

    @Test("Searches texts as Swift does")
    func texts() throws {
        let plans = try Plans()
        let empty = ""
        try expectEqual(plans.check(#Predicate { $0.title.contains("lph") }), "title CONTAINS \"lph\"")
        try expectEqual(plans.check(#Predicate { $0.title.starts(with: "Gamma") }), "title BEGINSWITH \"Gamma\"")
        try plans.check(#Predicate { $0.title.contains(empty) })
        try plans.check(#Predicate { $0.title.starts(with: empty) })
        try plans.check(#Predicate { $0.title.contains($0.note ?? "a") })
        try plans.check(#Predicate { $0.title.isEmpty })
        try plans.check(#Predicate { !$0.title.isEmpty })
        try plans.check(#Predicate { $0.title.count > 4 })
        try plans.check(#Predicate { $0.title.count == 6 })
        try plans.check(#Predicate { $0.note?.count == 6 })
        try expectEqual(
            plans.check(#Predicate { $0.title.localizedStandardContains("ECL") }),
            "title CONTAINS[cd] \"ECL\""
        )
        try plans.check(#Predicate { $0.title.localizedStandardContains("gamma") })
        try plans.check(#Predicate { $0.note?.localizedStandardContains("écl") ?? false })
        let (same, before) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        try plans.check(#Predicate { $0.title.caseInsensitiveCompare("ALPHA") == same })
        try plans.check(#Predicate { $0.title.caseInsensitiveCompare("ALPHA") != before })
        try plans.check(#Predicate { $0.title.localizedCompare("delta") == before })
        try plans.check(#Predicate { $0.title.contains(/m+a [0-9]{2}/) })
        try plans.check(#Predicate { $0.title.contains(/^[a-d]/) })
    }

    @Test("Converts searches of relationships to ANY, ALL and SUBQUERY")
    func relationships() throws {
        let plans = try Plans()
        try expectEqual(
            plans.check(#Predicate { $0.labels.contains { $0.name == "red" } }),
            "ANY labels.name == \"red\""
        )
        try plans.check(#Predicate { $0.labels.contains { $0.name != "red" } })
        try plans.check(#Predicate { $0.labels.contains { $0.name == nil } })
        try plans.check(#Predicate { $0.labels.contains { $0.name == "red" && $0.value < 10 } })
        try plans.check(#Predicate { plan in plan.labels.contains { $0.value == plan.rank * 10 } })
        try expectEqual(plans.check(#Predicate { $0.labels.allSatisfy { $0.value > 5 } }), "ALL labels.value > 5")
        try plans.check(#Predicate { $0.labels.allSatisfy { $0.name == "red" } })
        try plans.check(#Predicate { $0.labels.allSatisfy { $0.name != nil } })
        try plans.check(#Predicate { !$0.labels.allSatisfy { $0.name != nil || $0.value > 20 } })
        try plans.check(#Predicate { $0.labels.isEmpty })
        try expectEqual(plans.check(#Predicate { $0.labels.count > 2 }), "labels.@count > 2")
        try plans.check(#Predicate { $0.labels.filter { $0.value >= 20 }.count == 1 })
        try plans.check(#Predicate { $0.labels.filter { $0.value >= 20 }.isEmpty })
        try plans.check(#Predicate { $0.labels.filter { $0.value >= 20 }.contains { $0.name == "blue" } })
        try plans.check(#Predicate { $0.labels.filter { $0.value >= 20 }.allSatisfy { $0.name == "blue" } })
        try plans.check(#Predicate { $0.place?.plans.contains { $0.title == "a" } ?? false })
        try plans.check(#Predicate { $0.place?.plans.contains { $0.title == "a" } ?? true })
        try plans.check(#Predicate { $0.place?.plans.contains { $0.title == "a" } == nil })
        try plans.check(#Predicate { $0.place?.plans.count == 10 })
        try plans.check(#Predicate { ($0.place?.plans.count ?? 0) < 11 })
        try plans.check(#Predicate { $0.place?.plans.contains { $0.labels.contains { $0.name == "Green" } } ?? false })
        try plans.check(#Predicate { ($0.labelSet as? Set<Label>)?.contains { $0.name == "blue" } ?? false })
        try plans.check(#Predicate { $0.labelSet?.contains { ($0 as? Label)?.name == "blue" } ?? false })
    }

    @Test("Compares with captured collections and ranges")
    func captured() throws {
        let plans = try Plans()
        let titles = ["a", "beta", "Éclair"]
        let notes: [String?] = ["a", nil]
        let ranks: Set<Int64> = [0, 2]
        let range = Int64(1)...3
        let first = Date(timeIntervalSinceReferenceDate: 86_400)
        let days = first..<first.addingTimeInterval(3 * 86_400)
        #expect(try plans.check(#Predicate { titles.contains($0.title) }).hasPrefix("title IN {"))
        try plans.check(#Predicate { notes.contains($0.note) })
        try plans.check(#Predicate { ranks.contains($0.rank) })
        try plans.check(#Predicate { !ranks.contains($0.rank) })
        try plans.check(#Predicate { range.contains($0.rank) })
        try plans.check(#Predicate { (-1..<2).contains($0.rank) })
        try plans.check(#Predicate { (0.25...1).contains($0.weight) })
        try plans.check(#Predicate { $0.due.flatMap { days.contains($0) } ?? false })
        let numbers: [Int64] = [1, 2]
        try plans.check(#Predicate { numbers.max()! == $0.rank || numbers.min()! == $0.rank })
        try plans.check(#Predicate { plan in titles.contains { $0 == plan.title } })
        try plans.check(#Predicate { plan in titles.allSatisfy { $0 != plan.title } })
    }

    @Test("Computes arithmetic as Swift does")
    func arithmetic() throws {
        let plans = try Plans()
        try plans.check(#Predicate { $0.rank * 2 - 1 > 3 })
        try plans.check(#Predicate { -$0.rank == 2 })
        try plans.check(#Predicate { $0.rank / 2 == -1 })
        try plans.check(#Predicate { $0.rank % 3 == -2 })
        try plans.check(#Predicate { $0.weight / 2 >= 0.25 })
        try plans.check(#Predicate { $0.weight + 0.5 == 1 })
        try plans.check(#Predicate { $0.labels.count * 2 == 4 })
    }

    @Test("Fetches Swift's expressions as dictionary values")
    func expressions() throws {
        let plans = try Plans()
        let expression = try #require(NSExpression(#Expression<Plan, Int64> { $0.place?.floor ?? 7 }))
        try plans.context.performAndWait { () throws in
            let description = NSExpressionDescription()
            (description.name, description.expression) = ("floor", expression)
            description.expressionResultType = .integer64AttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: "Plan")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [description]
            let floors = try plans.context.fetch(request).compactMap { $0["floor"] as? Int64 }
            let all = try plans.context.fetch(NSFetchRequest<Plan>(entityName: "Plan"))
            let expected = all.map { $0.place?.floor ?? 7 }
            // If the store has no floor, the dictionary has no value, whereas the property of an object reads as zero.
            expectEqual(floors.filter { $0 != 0 }.sorted(), expected.filter { $0 != 0 }.sorted())
        }
    }

    @Test("Subclasses register inherited key paths")
    func inheritance() throws {
        let plans = try Plans()
        let predicate = #Predicate<LongPlan> { $0.phases >= 2 && $0.title != "a" }
        try plans.context.performAndWait { () throws in
            let request = NSFetchRequest<LongPlan>(entityName: "LongPlan")
            let expected = try plans.context.fetch(request).filter { try predicate.evaluate($0) }
            request.predicate = NSPredicate(predicate)
            try expectEqual(plans.context.fetch(request).count, expected.count)
            #expect(!expected.isEmpty)
        }
    }
}

extension NSPredicate {
    /// The format, which is deprecated for Foundation's own predicates.
    var printedText: String { (self as any Describing).description }
}

private protocol Describing { var description: String { get } }
extension NSPredicate: Describing {}
