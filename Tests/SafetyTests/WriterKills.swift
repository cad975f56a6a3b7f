// Kills of processes that write one store concurrently, while others follow its history. Used by SharedFileKillTests and
// DatabaseKillTests.
import ExpectationSupport
import Foundation
import SharedStoreSupport
import Testing

/// A number of kills, in stores of some kills each.
struct WriterKills {
    static let writers = 3
    /// The number of kills after which a new store is created.
    private static let killsOfOneStore = 20

    let count: Int
    /// The longest time between two kills, in microseconds.
    let pause: Int
    let seed: Int
    private(set) var saves = 0
    private(set) var unacknowledged = 0

    init(_ count: Int, pause: Int, seed: Int) { (self.count, self.pause, self.seed) = (count, pause, seed) }

    mutating func run(_ makeStore: () throws -> some KilledStore) throws {
        for first in stride(from: 0, to: count, by: Self.killsOfOneStore) {
            try run(first..<min(count, first + Self.killsOfOneStore), makeStore())
        }
    }

    private mutating func run(_ kills: Range<Int>, _ store: some KilledStore) throws {
        let followers = try [HistoryFollower.Occasion.always, .remoteChange].map {
            try HistoryFollower(store.address, on: $0)
        }
        var processes = try (0..<Self.writers).map {
            try store.startWriter($0, from: SharedWriter.first, seed: seed + kills.lowerBound)
        }
        for kill in kills {
            let writer = Int.random(in: 0..<Self.writers)
            let process = processes[writer]
            // A process that has just been started must have gone on.
            #expect(process.saves(more: 1, than: 0), "\(process.failure ?? "no save") of \(process.errors)")
            usleep(UInt32.random(in: 0...UInt32(pause)))
            process.kill()
            expectNil(process.failure)
            expectEqual(process.errors, [])
            try store.settle()
            let (last, violations) = try store.check(writer)
            #expect(last == process.saved || last == process.saved + 1, "kill \(kill)")
            expectEqual(violations, [], "kill \(kill)")
            unacknowledged += last - process.saved
            saves += process.saves
            processes[writer] = try store.startWriter(writer, from: last + 1, seed: seed + kill + 1_000)
            if kill % 100 == 99 { SharedStoreSetting.progress("\(kill + 1) processes killed, \(saves) saves") }
        }
        for (writer, process) in processes.enumerated() {
            #expect(process.saves(more: 1, than: 0))
            process.kill()
            expectNil(process.failure)
            try store.settle()
            try expectEqual(store.check(writer).violations, [])
            saves += process.saves
        }
        try expectEqual(store.problems(), [])
        let authors = try store.authors()
        for follower in followers {
            let seen = try follower.stop(after: authors.count)
            expectEqual(seen, authors, "this process saw another history")
        }
    }
}
