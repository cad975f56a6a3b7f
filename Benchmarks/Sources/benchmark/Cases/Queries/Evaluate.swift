// evaluate-…: evaluates a predicate over objects in memory. The yardstick is a closure over the same managed objects.
import Foundation
import ManagedGraph

enum Evaluate {
    static var cases: [BenchmarkCase] {
        [
            makeCase("evaluate-one", conditions: 1, "priority == 3") { $0.priority == 3 },
            makeCase("evaluate-three", conditions: 3, "amount >= 0 AND number >= 0 AND priority == 3") {
                $0.amount >= 0 && $0.number >= 0 && $0.priority == 3
            },
            makeCase("evaluate-in", conditions: 1, "priority IN {1, 3, 7, 9, 11}") {
                [1, 3, 7, 9, 11].contains($0.priority)
            },
        ]
    }

    private static let closure = "closure"

    private static func makeCase(
        _ name: String,
        conditions: Int,
        _ format: String,
        _ body: @escaping (Entry) -> Bool
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.nanoseconds(60), .ratio(3)],
            yardstick: closure,
            sizes: [100_000],
            scales: false,
            measure: .time { $0 * conditions },
            entrants: [
                Entrant(closure) { try prepare($0, body) },
                Entrant(SubjectName.managedGraph) { setting in
                    let predicate = NSPredicate(format: format)
                    return try prepare(setting) { predicate.evaluate(with: $0) }
                },
            ]
        )
    }

    private static func prepare(_ setting: Setting, _ isIncluded: @escaping (Entry) -> Bool) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        let context = store.context()
        let entries = try context.performAndWait { try context.allEntries() }
        return {
            context.performAndWait {
                var count = 0
                for entry in entries where isIncluded(entry) { count += 1 }
                return Outcome(Checksum(rows: count, value: 0))
            }
        }
    }
}
