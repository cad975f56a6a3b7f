// Tests that a writer killed at any moment loses no acknowledged save and leaves no partial one. STORE_KILLS sets the
// number of kills (default 6).
import Foundation
import Testing

@Suite(.serialized) struct WriterKillTests {
    private static let kills = ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap(Int.init) ?? 6
    /// The number of kills after which a new store is created.
    private static let killsOfOneStore = 10

    @Test func aKilledWriterLeavesEveryAcknowledgedStepAndNoHalfOfOne() async throws {
        var outcomes: [String: Int] = [:]
        var steps = 0
        for round in 0..<(Self.kills + Self.killsOfOneStore - 1) / Self.killsOfOneStore {
            let run = try WriterRun(seed: UInt64.random(in: 1...1_000_000))
            for _ in 0..<min(Self.killsOfOneStore, Self.kills - round * Self.killsOfOneStore) {
                let last = try await run.write(.random(in: 1...3), killedAfter: .random(in: 0...0.25))
                outcomes[try run.check(last), default: 0] += 1
                steps = max(steps, last)
            }
        }
        print("killed \(Self.kills) times: \(outcomes), at most \(steps) steps in one store")
        #expect(outcomes.keys.allSatisfy { ["last", "next"].contains($0) })
        // Otherwise the kills came before any work.
        #expect(steps > 5)
    }
}
