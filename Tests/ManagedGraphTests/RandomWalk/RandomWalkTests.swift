// Random walks over two contexts and a store, compared with plain worlds. `WALKS=1000` in the environment runs that
// many in memory, and a fifth of them on SQLite and PostgreSQL each.
import Foundation
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct RandomWalks {
    private static let count = ProcessInfo.processInfo.environment["WALKS"].flatMap(Int.init) ?? 20
    private static let length = ProcessInfo.processInfo.environment["WALK_LENGTH"].flatMap(Int.init) ?? 60
    private static let first = ProcessInfo.processInfo.environment["WALK_SEED"].flatMap(Int.init) ?? 0

    @Test(arguments: WalkStore.Kind.installed)
    func contextsAgreeWithAPlainModelAfterRandomOperations(_ kind: WalkStore.Kind) {
        for seed in Self.first..<(Self.first + kind.count(Self.count)) {
            var random = SeededNumbers(run: UInt64(seed))
            let steps = (0..<Self.length).map { _ in WalkStep.random(&random) }
            guard Self.failure(steps, kind) != nil else { continue }
            let shortest = Self.shorten(steps, kind)
            Issue.record(
                """
                seed \(seed), \(kind.rawValue): \(Self.failure(shortest, kind).map(String.init(describing:)) ?? "it does not fail any more")
                shortest sequence:
                \(shortest.map { "  \($0)" }.joined(separator: "\n"))
                """
            )
            return
        }
    }

    private static func failure(_ steps: [WalkStep], _ kind: WalkStore.Kind) -> (any Error)? {
        do {
            try Walk.run(steps, kind)
            return nil
        } catch {
            return error
        }
    }

    /// Removes smaller and smaller parts as long as the walk still fails.
    private static func shorten(_ steps: [WalkStep], _ kind: WalkStore.Kind) -> [WalkStep] {
        var steps = steps
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            var wasShortened = false
            while start < steps.count {
                var shorter = steps
                shorter.removeSubrange(start..<min(start + size, steps.count))
                if failure(shorter, kind) != nil {
                    steps = shorter
                    wasShortened = true
                } else {
                    start += size
                }
            }
            if size == 1, !wasShortened { return steps }
            size = max(1, size / 2)
        }
    }
}
