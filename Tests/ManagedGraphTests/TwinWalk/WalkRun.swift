// Runs walks from a seed or a sequence of steps; shortens a failing sequence.
import Foundation
import ManagedGraph

/// Runs walks.
enum WalkRun {
    /// Runs random steps; returns the steps and the failure, if any.
    static func random(_ setting: WalkSetting) throws -> (steps: [TwinStep], failure: String?) {
        let walk = try TwinWalk(setting)
        var generator = WalkGenerator(seed: setting.seed)
        let isTraced = ProcessInfo.processInfo.environment["MANAGEDGRAPH_WALK_TRACE"] != nil
        return try walk.inside {
            do {
                for number in 0..<setting.stepCount {
                    let step = generator.next(walk.plain, canLetGo: !setting.isOneTurn)
                    if isTraced { FileHandle.standardError.write(Data("\(step)\n".utf8)) }
                    try walk.perform(step)
                    if walk.isUndefined { return (walk.steps, nil) }
                    if number % 20 == 19 { try walk.lookAtStore() }
                }
                try finish(walk)
                return (walk.steps, nil)
            } catch let failure as TwinFailure {
                return (walk.steps, failure.text)
            }
        }
    }

    /// Repeats a sequence of steps; returns the failure, if any.
    static func replay(_ steps: [TwinStep], _ setting: WalkSetting) throws -> String? {
        let walk = try TwinWalk(setting)
        return try walk.inside {
            do {
                for step in steps {
                    try walk.perform(step)
                    if walk.isUndefined { return nil }
                }
                try finish(walk)
                return nil
            } catch let failure as TwinFailure {
                return failure.text
            }
        }
    }

    private static func finish(_ walk: TwinWalk) throws {
        try walk.lookAtAll()
        try walk.lookAtStore()
    }

    /// The shortest failing sequence found: removes halves, then quarters and so on of the steps, within the given
    /// number of seconds.
    static func shortened(
        _ steps: [TwinStep],
        _ setting: WalkSetting,
        seconds: Double = 20
    ) throws -> (steps: [TwinStep], failure: String)? {
        guard var failure = try replay(steps, setting) else { return nil }
        var best = steps
        var size = best.count / 2
        let start = Date()
        while size > 0, -start.timeIntervalSinceNow < seconds {
            var isShorter = false
            var place = 0
            while place < best.count, -start.timeIntervalSinceNow < seconds {
                var rest = best
                rest.removeSubrange(place..<min(place + size, best.count))
                if let shorterFailure = try replay(rest, setting) {
                    best = rest
                    failure = shorterFailure
                    isShorter = true
                } else {
                    place += size
                }
            }
            if !isShorter || size > 1 { size /= 2 }
        }
        return (best, failure)
    }
}
