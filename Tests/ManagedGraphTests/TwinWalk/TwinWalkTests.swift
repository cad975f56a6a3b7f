// The random walk: contexts over one store perform random operations of programs, and must show the same state as a
// plain model after each step. MANAGEDGRAPH_WALKS sets the number of walks, MANAGEDGRAPH_WALK_SEED the seed of the
// first walk (and the number to one, unless set), MANAGEDGRAPH_WALK_TRACE prints each step before it runs.
import Foundation
import ManagedGraph
import Testing

struct TwinWalkTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(arguments: WalkStore.Kind.installed.filter { $0 != .memory })
    func contextsThatReadAtDifferentTimesAgreeWithAPlainModel(_ kind: WalkStore.Kind) throws {
        let first = Self.number("MANAGEDGRAPH_WALK_SEED") ?? 0
        let all = Self.number("MANAGEDGRAPH_WALKS") ?? (first == 0 ? 12 : 1)
        let count = kind == .sqlite ? all : UInt64(kind.count(Int(all)))
        for seed in first..<first + count {
            let setting = WalkSetting(seed: seed, store: kind)
            let walk = try WalkRun.random(setting)
            guard let failure = walk.failure else { continue }
            let short = try WalkRun.shortened(walk.steps, setting)
            let steps = (short?.steps ?? walk.steps).map { "  \($0)" }.joined(separator: "\n")
            Issue.record(
                """
                Walk \(seed) on \(kind.rawValue) (\(setting.shape), policy \(setting.policy.rawValue), \(setting.isOneTurn ? "one turn" : "a turn each step")) failed: \
                \(short?.failure ?? failure)
                \(short == nil ? "It did not fail when repeated. " : "")The shortest sequence found:
                \(steps)
                """
            )
            return
        }
    }
}
