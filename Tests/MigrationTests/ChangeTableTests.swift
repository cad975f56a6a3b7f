// Tests each change of Apple's table, alone and in random combinations, with objects of all kinds: compares the objects
// of the migrated store with the change applied to the objects. MIGRATION_PAIRS sets the number of random pairs.
import ExpectationSupport
import Foundation
import ManagedGraph
import PostgreSQLSupport
import TestSupport
import Testing

struct ChangeTableTests {
    private static let pairs = ProcessInfo.processInfo.environment["MIGRATION_PAIRS"].flatMap(Int.init) ?? 2
    /// Stores that each change is tried on.
    private static let places = ProcessInfo.processInfo.environment["MIGRATION_PLACES"].flatMap(Int.init) ?? 1

    enum Way: CaseIterable {
        case inPlace, deferred, objectByObject, inDatabase

        static let allCases: [Way] = [.inPlace, .deferred, .objectByObject] + databases
        static let databases: [Way] = PostgreSQLServer.isInstalled ? [.inDatabase] : []
    }

    @Test(arguments: SketchState.Change.allCases, [.inPlace] + Way.databases)
    func eachChangeKeepsTheRequiredObjectsAndValues(_ change: SketchState.Change, _ way: Way) throws {
        var done = 0
        for seed in 0..<200 where done < Self.places {
            var numbers = SeededNumbers(seed: UInt64(seed))
            let old = SketchState(&numbers)
            var new = old
            guard new.apply(change, &numbers) else { continue }
            try check([old, new], way, "\(change), seed \(seed)")
            done += 1
        }
        expectEqual(done, Self.places, "no place for \(change)")
    }

    @Test(arguments: Way.allCases)
    func randomChangesTogetherKeepTheRequiredObjectsAndValues(_ way: Way) throws {
        for seed in 0..<Self.pairs {
            var numbers = SeededNumbers(seed: UInt64(1_000 + seed))
            let old = SketchState(&numbers)
            var new = old
            let changes = Self.change(&new, 1 + seed % 8, &numbers)
            try check([old, new], way, "seed \(seed): \(changes)")
        }
    }

    /// Across three versions: in sequence, and skipping the middle one.
    @Test(arguments: [true, false], [.inPlace] + Way.databases)
    func randomChangesAcrossVersionsKeepTheRequiredObjectsAndValues(skips: Bool, _ way: Way) throws {
        for seed in 0..<Self.pairs / 2 {
            var numbers = SeededNumbers(seed: UInt64(5_000 + seed))
            let first = SketchState(&numbers)
            var second = first
            // The default value of a skipped version is never applied.
            let excluded: Set<SketchState.Change> = skips ? [.changeDefault, .attributeToRequired] : []
            var changes = Self.change(&second, 3, &numbers, without: excluded)
            var third = second
            changes += Self.change(&third, 3, &numbers, without: excluded)
            try check([first, second, third], way, skips: skips, "seed \(seed): \(changes)")
        }
    }

    private static func change(
        _ state: inout SketchState,
        _ count: Int,
        _ numbers: inout SeededNumbers,
        without left: Set<SketchState.Change> = []
    ) -> [SketchState.Change] {
        var done: [SketchState.Change] = []
        while done.count < count {
            guard let change = SketchState.Change.allCases.randomElement(using: &numbers) else { break }
            if left.contains(change) { continue }
            if state.apply(change, &numbers) { done.append(change) }
        }
        return done
    }

    /// Fills a store of the first version, migrates it to the last one, and compares.
    private func check(
        _ states: [SketchState],
        _ way: Way,
        skips: Bool = false,
        _ comment: String
    ) throws {
        let versions = try Versions.$areInDatabase.withValue(way == .inDatabase) {
            try Versions(states.map(\.sketch.text))
        }
        guard let first = states.first, let last = states.last, let content = first.content, let expected = last.content
        else { return }
        func compare(_ context: NSManagedObjectContext, _ moment: String) throws {
            let migrated = try SketchContent(last.sketch, in: context)
            let differences = expected.differences(migrated)
            expectEqual(differences, [], "\(comment), \(moment), \(way)")
        }
        do {
            try versions.fill { content.fill(first.sketch, $0) }
            try versions.use(1) { context in
                let migrated = try SketchContent(first.sketch, in: context)
                expectEqual(content.differences(migrated), [], "\(comment), before")
            }
            let count = states.count
            switch way {
            case .inPlace, .inDatabase:
                if !skips { for number in 2..<max(count, 2) { try versions.use(number) { _ in } } }
                try versions.use(count) { try compare($0, "migrated") }
            case .deferred:
                let options = [NSPersistentStoreDeferredLightweightMigrationOptionKey: true]
                try versions.use(count, options: options) { try compare($0, "deferred") }
                try versions.use(count) { context in
                    try compare(context, "opened without the option")
                    try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
                    context.reset()
                    try compare(context, "finished")
                }
            case .objectByObject: try migrate(versions)
            }
            try versions.use(count) { try compare($0, "opened again") }
            if first.hashes(versions, 1) != last.hashes(versions, count) {
                let differences = try versions.differencesFromNewStore()
                expectEqual(differences, [], "\(comment), \(way)")
            }
        } catch {
            Issue.record("\(comment), \(way): \(error)")
        }
    }

    /// Runs the inferred mapping model object by object, and replaces the store with the result.
    private func migrate(_ versions: Versions) throws {
        let target = try versions.migrateByInferredMapping(inSQL: false)
        try NSPersistentStoreCoordinator(managedObjectModel: versions.model(2)).replacePersistentStore(
            at: versions.store,
            withPersistentStoreFrom: target,
            type: .sqlite
        )
    }
}

extension SketchState {
    /// The version hashes of a version; versions with equal hashes are not migrated.
    fileprivate func hashes(_ versions: Versions, _ number: Int) -> [String: Data]? {
        (try? versions.model(number))?.entityVersionHashesByName
    }
}
