// Kills of processes that write one SQLite store at once, while other ones follow its history and its notifications of
// remote changes. FILE_KILLS sets the number of kills (default 3), KILL_SEED the first seed.
import ExpectationSupport
import Foundation
import SharedStoreSupport
import Testing

@Suite(.serialized) struct SharedFileKillTests {
    private static let writers = 3
    private static let kills = SharedStoreSetting.number("FILE_KILLS", 3)
    private static let seed = SharedStoreSetting.number("KILL_SEED", 1)
    /// The number of kills after which a new store is created.
    private static let killsOfOneStore = 20

    @Test func killedProcessesLeaveEveryAcknowledgedSaveAndNothingByHalf() throws {
        var saves = 0
        var unacknowledged = 0
        for round in 0..<(Self.kills + Self.killsOfOneStore - 1) / Self.killsOfOneStore {
            let file = try SharedFile()
            let followers = try [HistoryFollower.Occasion.always, .remoteChange].map {
                try HistoryFollower(file.url.path, on: $0)
            }
            var processes = try (0..<Self.writers).map {
                try file.startWriter($0, from: SharedWriter.first, seed: Self.seed + round)
            }
            for kill in 0..<min(Self.killsOfOneStore, Self.kills - round * Self.killsOfOneStore) {
                let number = round * Self.killsOfOneStore + kill
                let writer = Int.random(in: 0..<Self.writers)
                let process = processes[writer]
                // A process that has just been started must have gone on.
                #expect(process.saves(more: 1, than: 0), "\(process.failure ?? "no save") of \(process.errors)")
                usleep(.random(in: 0...100_000))
                process.kill()
                expectNil(process.failure)
                expectEqual(process.errors, [])
                let content = try file.content()
                let last = content.lastStep(of: writer)
                #expect(last == process.saved || last == process.saved + 1, "kill \(number)")
                unacknowledged += last - process.saved
                expectEqual(content.violations(), [], "kill \(number)")
                saves += process.saves
                processes[writer] = try file.startWriter(writer, from: last + 1, seed: Self.seed + number + 1_000)
                if number % 100 == 99 { SharedStoreSetting.progress("\(number + 1) processes killed, \(saves) saves") }
            }
            for process in processes {
                #expect(process.saves(more: 1, than: 0))
                process.kill()
                saves += process.saves
                expectNil(process.failure)
            }
            let content = try file.content()
            expectEqual(content.violations(), [])
            for follower in followers {
                let seen = try follower.stop(after: content.authors.count)
                expectEqual(seen, content.authors, "another process saw another history")
            }
            expectEqual(file.problems(), [])
        }
        print("killed \(Self.kills) processes of \(Self.writers): \(saves) saves, \(unacknowledged) without a reply")
        #expect(saves > Self.kills)
    }
}
