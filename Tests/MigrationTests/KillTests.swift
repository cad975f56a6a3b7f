// A migration that is killed at any moment leaves the old store or the new one, with all its objects. MIGRATION_KILLS sets
// how often (20 unless set).
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.serialized) struct KillTests {
    private static let count = 4_000
    private static let kills = ProcessInfo.processInfo.environment["MIGRATION_KILLS"].flatMap(Int.init) ?? 20

    private static let old =
        "<entity name=\"Note\"><attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
        + "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\"/>"
        + "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Note\" inverseName=\"before\" "
        + "inverseEntity=\"Note\"/><relationship name=\"before\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Note\" "
        + "inverseName=\"next\" inverseEntity=\"Note\"/></entity>"

    /// The body goes, so that every row is copied; a number comes.
    private static let new = old.replacing(
        "<attribute name=\"body\" optional=\"YES\" attributeType=\"String\"/>",
        with: "<attribute name=\"number\" attributeType=\"Integer 32\" defaultValueString=\"1\"/>"
    )

    @Test func aKilledLightweightMigrationLeavesTheOldStoreOrTheNew() async throws {
        try await kill(try Versions(Self.old, Self.new))
    }

    @Test func aKilledMigrationByAMappingModelLeavesTheOldStoreOrTheNew() async throws {
        let versions = try Versions(Self.old, Self.new)
        try MappingFileText.write("Note", from: 1, to: 2, attributes: ["title"], relationships: ["next"], versions)
        try await kill(versions)
        let names = try FileManager.default.contentsOfDirectory(atPath: versions.folder.path)
        #expect(!names.contains { $0.hasSuffix(".migration") })
    }

    private func kill(_ versions: Versions) async throws {
        try versions.fill { context in
            var last: NSManagedObject?
            for number in 0..<Self.count {
                let note = context.add("Note", ["title": "\(number)", "body": String(repeating: "x", count: 100)])
                last?.setValue(note, forKey: "next")
                last = note
            }
        }
        let original = versions.folder.appending(path: "Original.sqlite")
        try FileManager.default.copyItem(at: versions.store, to: original)
        let whole = try await time(versions)
        var (old, new) = (0, 0)
        for _ in 0..<Self.kills {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: versions.store.path + suffix)
            }
            try FileManager.default.copyItem(at: original, to: versions.store)
            let process = try start(versions)
            try await Task.sleep(for: .seconds(Double.random(in: 0...whole)))
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if try check(versions) { new += 1 } else { old += 1 }
        }
        print("killed \(Self.kills) times within \(whole) s: \(old) old stores, \(new) new ones")
        // What a kill has left does not stand in the way of the next attempt.
        _ = try await time(versions)
        try #expect(check(versions))
    }

    /// Whether the store is the new one; either has all objects and relationships.
    private func check(_ versions: Versions) throws -> Bool {
        let connection = try Connection(path: versions.store.path)
        defer { connection.close() }
        func number(_ sql: String) throws -> Int64 {
            guard case .integer(let number)? = try connection.rows(sql).first?.first else { return -1 }
            return number
        }
        try #expect(connection.rows("PRAGMA integrity_check") == [[.text("ok")]])
        try #expect(number("SELECT COUNT(*) FROM ZNOTE") == Int64(Self.count))
        try #expect(number("SELECT COUNT(*) FROM ZNOTE a JOIN ZNOTE b ON a.ZNEXT = b.Z_PK") == Int64(Self.count - 1))
        let names = try connection.rows("PRAGMA table_info(ZNOTE)").map { $0[1] }
        let isNew = names.contains(.text("ZNUMBER"))
        #expect(isNew != names.contains(.text("ZBODY")))
        let hashes = try StoreFile.readMetadata(connection).versionHashes
        try #expect(hashes == versions.model(isNew ? 2 : 1).entityVersionHashesByName)
        return isNew
    }

    private func start(_ versions: Versions) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "MigrationProgram")
        process.arguments = [versions.store.path, versions.bundle.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Migrates once to the end; returns the seconds that took.
    private func time(_ versions: Versions) async throws -> Double {
        let begin = ContinuousClock.now
        let process = try start(versions)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Double((ContinuousClock.now - begin).components.attoseconds) / 1e18
            + Double((ContinuousClock.now - begin).components.seconds)
    }
}
