import ExpectationSupport
import Foundation
import TestSupport
import Testing

@testable import ManagedGraph

@Suite("Random changes of several contexts")
struct ResultsFuzzTests {
    /// `FUZZ_SEED` repeats a run, `FUZZ_CASES` sets the number of changes, `FUZZ_WORLD` repeats one world of a run and
    /// logs the notifications of its contexts.
    static let environment = ProcessInfo.processInfo.environment
    static let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    static let cases = environment["FUZZ_CASES"].flatMap { Int($0) } ?? 800

    @Test("Applying the reported changes to the old arrays gives the new ones, which match a new fetch")
    func everyChangeIsApplicable() throws {
        print("FUZZ_SEED=\(Self.seed) FUZZ_CASES=\(Self.cases)")
        var worlds = SeededNumbers(seed: Self.seed)
        var changes = 0
        while changes < Self.cases {
            let seed = Self.environment["FUZZ_WORLD"].flatMap { UInt64($0) } ?? worlds.next()
            if Self.environment["FUZZ_WORLD"] == nil, Self.environment["FUZZ_SEED"] != nil { print("world \(seed)") }
            let world = try FuzzWorld(SeededNumbers(seed: seed))
            for step in 0..<50 {
                try world.step()
                if let complaint = try complaint(world, step) {
                    let log = world.log.suffix(200).joined(separator: "\n")
                    Issue.record("FUZZ_SEED=\(Self.seed) FUZZ_WORLD=\(seed), step \(step): \(complaint)\n\(log)")
                    return
                }
            }
            changes += world.changes
        }
    }

    private func complaint(_ world: FuzzWorld, _ step: Int) throws -> String? {
        for (index, follower) in world.controllers.enumerated() {
            let problem = try follower.controller.managedObjectContext.performAndWait { () throws -> String? in
                // A slow consumer takes its differences occasionally, merged if there are many.
                let drains = step % 7 == index || step == 49
                let compares =
                    (step % 5 == index || Self.environment["FUZZ_WORLD"] != nil) && world.isComparable(follower)
                if let complaint = follower.complaint(drains: drains, checksKeys: compares) { return complaint }
                guard compares else { return nil }
                let fresh = NSFetchedResultsController(
                    fetchRequest: follower.controller.fetchRequest,
                    managedObjectContext: follower.controller.managedObjectContext,
                    sectionNameKeyPath: follower.controller.sectionNameKeyPath,
                    cacheName: nil
                )
                try fresh.performFetch()
                guard fresh.picture != follower.controller.picture else { return nil }
                let all = try follower.controller.managedObjectContext.fetch(
                    NSFetchRequest<NSManagedObject>(entityName: "Task")
                )
                let matching = all.filter { follower.controller.fetchRequest.predicate?.evaluate(with: $0) != false }
                let texts = matching.map {
                    "\($0.value(forKey: "text") ?? "-") \($0.value(forKeyPath: "location.name") ?? "-")"
                }
                let places = try follower.controller.managedObjectContext.fetch(
                    NSFetchRequest<NSManagedObject>(entityName: "Location")
                ).map { place in
                    let tasks = place.value(forKey: "tasks") as? Set<NSManagedObject> ?? []
                    return "\(place.value(forKey: "name") ?? "-"): "
                        + tasks.map { "\($0.value(forKey: "text") ?? "-")\($0.isDeleted ? " (deleted)" : "")" }.sorted()
                        .joined(separator: " ")
                }
                return
                    "a new fetch finds \(fresh.picture), not \(follower.controller.picture); in memory \(texts.sorted()) \(places) "
                    + "\(follower.controller.fetchRequest)"
            }
            if let problem { return "controller \(index): \(problem)" }
        }
        return nil
    }

    @Test("Two merged differences are equivalent to applying both in sequence")
    func merging() throws {
        var random = SeededNumbers(seed: Self.seed)
        let stack = try ResultsStack()
        let ids = stack.context.performAndWait { (0..<40).map { stack.task("\($0)").objectID } }
        func content() -> FetchedResultsContent {
            var content = FetchedResultsContent()
            var free = ids.shuffled(using: &random).prefix(Int.random(in: 0...30, using: &random))[...]
            for name in ["A", "B", "C", "D"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
                let count = Int.random(in: 0...free.count, using: &random)
                content.sections.append(.init(name: name, objectIDs: Array(free.prefix(count))))
                free = free.dropFirst(count)
            }
            return content
        }
        for _ in 0..<2_000 {
            let contents = (0..<4).map { _ in content() }
            var differences = zip(contents, contents.dropFirst()).map { FetchedResultsDifference(from: $0, to: $1) }
            for (difference, (old, new)) in zip(differences, zip(contents, contents.dropFirst())) {
                var applied = old
                applied.apply(difference)
                expectEqual(applied, new, "FUZZ_SEED=\(Self.seed)")
            }
            var whole = differences.removeFirst()
            for next in differences { whole = whole.followed(by: next) }
            var applied = contents[0]
            applied.apply(whole)
            expectEqual(applied, contents[3], "FUZZ_SEED=\(Self.seed)")
        }
    }
}
