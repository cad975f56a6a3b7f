// Each reader of outside bytes on its seeds, on copies of them with damage, and on the inputs that `make fuzz` once
// failed with. A reader that traps ends the process, and the last printed line names the input.
import Foundation
import FuzzTargets
import TestSupport
import Testing

@Suite(.serialized) struct FuzzTargetTests {
    private static let copies = ProcessInfo.processInfo.environment["FUZZ_DAMAGES"].flatMap { Int($0) } ?? 25
    private static let seed =
        ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)

    @Test func formerFailuresAreRead() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fuzzing/Failures").standardizedFileURL
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let target = try #require(FuzzTarget.named(name), "no reader has the name of the folder \(name)")
            try #expect(!target.failures().isEmpty, "\(name)")
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func damagedSeedsAreReadOrRefused(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let seeds = try target.seeds()
        try #require(!seeds.isEmpty)
        print("FUZZ_SEED=\(Self.seed) \(name), \(seeds.count) seeds")
        for input in try seeds + target.failures() { target.read(input) }
        var random = SeededNumbers(seed: Self.seed)
        for _ in 0..<Self.copies {
            let other = random.pick(seeds)
            target.read(random.damaged(random.pick(seeds), with: other))
        }
    }
}
