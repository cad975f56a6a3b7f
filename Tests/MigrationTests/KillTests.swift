// Tests that a migration killed at any moment leaves a store of one version with all its objects, and that the next
// attempt completes it. MIGRATION_KILLS sets the kills of each kind (default 5), MIGRATION_OBJECTS the object count.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.serialized) struct KillTests {
    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
    }

    /// MIGRATION_PROGRAM may be the path of an optimized build, for many kills with many objects.
    private static let program =
        ProcessInfo.processInfo.environment["MIGRATION_PROGRAM"].map { URL(filePath: $0) }
        ?? Bundle.main.bundleURL.appending(path: "MigrationProgram")

    @Test(arguments: KillWay.allCases)
    func aKilledMigrationLeavesAWholeStoreOfOneVersion(_ way: KillWay) async throws {
        let kills = Self.setting("MIGRATION_KILLS", 5)
        let stores = try KillVersions(way, count: Self.setting("MIGRATION_OBJECTS", 3_000))
        let whole = try time(stores)
        var counts: [Int: Int] = [:]
        for number in 0..<kills {
            // Every third attempt continues with the remains of the previous one.
            if number % 3 != 2 { try stores.restore() }
            let process = try start(stores)
            try await Task.sleep(for: .seconds(Double.random(in: 0...whole)))
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            counts[try stores.check(), default: 0] += 1
        }
        let summary = counts.sorted { $0.key < $1.key }.map { "version \($0.key): \($0.value)" }
        print("killed \(kills) times within \(whole) s, \(way): \(summary.joined(separator: ", "))")
        // The remains of a kill do not prevent the next attempt.
        _ = try time(stores)
        try expectEqual(stores.check(), stores.versions.names.count)
        try stores.versions.expectTablesOfNewStore()
        let names = try FileManager.default.contentsOfDirectory(atPath: stores.versions.folder.path)
        #expect(!names.contains { $0.hasSuffix(".migration") })
    }

    private func start(_ stores: KillVersions) throws -> Process {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = stores.arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Migrates once without a kill and returns the duration in seconds.
    private func time(_ stores: KillVersions) throws -> Double {
        let begin = ContinuousClock.now
        let process = try start(stores)
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0)
        return (ContinuousClock.now - begin) / .seconds(1)
    }
}
