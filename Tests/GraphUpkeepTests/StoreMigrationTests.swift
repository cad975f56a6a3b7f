// Migrations planned, rehearsed and run by the public interface.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphUpkeep
import ManagedGraph
import Testing

struct StoreMigrationTests {
    private let folder: URL
    private let store: URL
    private let model: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "upkeep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appending(path: "Harbour1.sqlite")
        model = folder.appending(path: "Harbour.xcdatamodeld")
        for url in [store, model] {
            try FileManager.default.copyItem(
                at: Collections.fixtures.folder.appending(path: url.lastPathComponent),
                to: url
            )
        }
    }

    @Test func thePlanNamesStepsAndEffectsAndWritesNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = try Data(contentsOf: store)
        let migration = try StoreMigration(store, to: model, version: "Harbour 2")
        expectEqual(migration.versionNames, ["Harbour", "Harbour 2"])
        expectEqual(migration.destination, "Harbour 2")
        let plan = try migration.plan()
        expectEqual(plan.from, "Harbour")
        expectEqual(plan.to, "Harbour 2")
        #expect(!plan.isUpToDate && plan.isPossible)
        expectEqual(plan.steps.count, 1)
        #expect(plan.impasse.isEmpty)
        #expect(plan.steps[0].entities.contains { $0.kind != "unchanged" })
        let json = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        #expect(json.contains("\"isPossible\":true"))
        try expectEqual(Data(contentsOf: store), before)
    }

    @Test func theRehearsalComparesObjectsOfACopy() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = try Data(contentsOf: store)
        var fractions: [Double] = []
        var differences = 0
        let rehearsal = try StoreMigration(store, to: model, version: "Harbour 2").rehearse(
            progress: { fractions.append($0) },
            difference: { _ in differences += 1 }
        )
        #expect(rehearsal.problems.isEmpty)
        #expect(rehearsal.entities.reduce(0) { $0 + $1.before } > 0)
        expectEqual(differences, rehearsal.entities.reduce(0) { $0 + $1.changed })
        expectEqual(fractions, fractions.sorted())
        #expect((fractions.last ?? 0) > 0.9)
        try expectEqual(Data(contentsOf: store), before)
    }

    @Test func theCopyOfARehearsalIsClosedToOtherUsers() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (manager, temporary) = (FileManager.default, FileManager.default.temporaryDirectory.path)
        var modes: Set<Int> = []
        _ = try StoreMigration(store, to: model, version: "Harbour 2").rehearse(
            progress: { _ in
                for name in try manager.contentsOfDirectory(atPath: temporary) where name.hasPrefix("rehearsal-") {
                    // Other tests may remove theirs meanwhile.
                    let attributes = try? manager.attributesOfItem(atPath: "\(temporary)/\(name)")
                    if let mode = attributes?[.posixPermissions] as? NSNumber { modes.insert(mode.intValue & 0o777) }
                }
            },
            difference: { _ in }
        )
        expectEqual(modes, [0o700])
    }

    @Test func theRunKeepsABackupAndLeavesTheNewVersion() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let backup = folder.appending(path: "Old.sqlite")
        let migration = try StoreMigration(store, to: model, version: "Harbour 2")
        try expectEqual(migration.run(backup: backup), 1)
        #expect(try migration.plan().isUpToDate)
        #expect(try StoreMigration(backup, to: model, version: "Harbour").plan().isUpToDate)
        try expectEqual(migration.run(backup: folder.appending(path: "Second.sqlite")), 0)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Second.sqlite").path))
    }

    @Test func aCancelledRunLeavesTheOldVersion() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let migration = try StoreMigration(store, to: model, version: "Harbour 2")
        #expect(throws: CancellationError.self) {
            _ = try migration.run(backup: nil, progress: { _ in throw CancellationError() })
        }
        try expectEqual(migration.plan().from, "Harbour")
    }

    @Test func aMissingVersionIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = #expect(throws: (any Error).self) { try StoreMigration(store, to: model, version: "Harbour 9") }
        #expect(String(describing: try #require(error)).contains("Harbour 9"))
    }
}
