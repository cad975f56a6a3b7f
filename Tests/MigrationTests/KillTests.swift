// A migration that is killed at any moment leaves the store of one version, with all its objects, and the next attempt goes on
// from there. MIGRATION_KILLS sets how often each kind is killed (10 unless set), MIGRATION_OBJECTS how many objects there are.
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.serialized) struct KillTests {
    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
    }

    /// MIGRATION_PROGRAM may name an optimized build, for many kills of many objects.
    private static let program =
        ProcessInfo.processInfo.environment["MIGRATION_PROGRAM"].map { URL(filePath: $0) }
        ?? Bundle.main.bundleURL.appending(path: "MigrationProgram")

    @Test(arguments: KillWay.allCases)
    func aKilledMigrationLeavesAWholeStoreOfOneVersion(_ way: KillWay) async throws {
        let kills = Self.setting("MIGRATION_KILLS", 10)
        let stores = try KillVersions(way, count: Self.setting("MIGRATION_OBJECTS", 3_000))
        let whole = try time(stores)
        var counts: [Int: Int] = [:]
        for number in 0..<kills {
            // Now and then the next attempt finds what the one before has left.
            if number % 3 != 2 { try stores.restore() }
            let process = try start(stores)
            try await Task.sleep(for: .seconds(Double.random(in: 0...whole)))
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            counts[try stores.check(), default: 0] += 1
        }
        let found = counts.sorted { $0.key < $1.key }.map { "version \($0.key): \($0.value)" }
        print("killed \(kills) times within \(whole) s, \(way): \(found.joined(separator: ", "))")
        // What a kill has left does not stand in the way of the next attempt.
        _ = try time(stores)
        try #expect(stores.check() == stores.versions.names.count)
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

    /// Migrates once to the end; returns the seconds that took.
    private func time(_ stores: KillVersions) throws -> Double {
        let begin = ContinuousClock.now
        let process = try start(stores)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return (ContinuousClock.now - begin) / .seconds(1)
    }
}
