// Tests migrations on a disk that fails or fills up: the old or the new store is intact, an error gives the reason, and
// the next attempt succeeds. DISK_STRIDE sets the number of calls skipped between two runs, as for the saves.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import SafetySupport
import Testing

@Suite(.serialized) struct DiskFaultTests {
    private static let stride = ProcessInfo.processInfo.environment["DISK_STRIDE"].flatMap(Int.init) ?? 397

    private func open(_ stores: KillVersions) throws {
        let versions = stores.versions
        var options: [AnyHashable: Any] = [:]
        switch stores.way {
        case .deferred: options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
        case .staged:
            let checksums = try (1...4).map { try versions.model($0).versionChecksum }
            let stage = NSCustomMigrationStage(
                migratingFrom: NSManagedObjectModelReference(fileURL: versions.bundle, versionChecksum: checksums[1]),
                to: NSManagedObjectModelReference(fileURL: versions.bundle, versionChecksum: checksums[2])
            )
            stage.willMigrateHandler = { manager, _ in
                let context = try #require(manager.container).newBackgroundContext()
                try context.performAndWait {
                    for note in try context.all("Note") {
                        note.setValue("named \(note.value(forKey: "title") as? String ?? "")", forKey: "name")
                    }
                    try context.save()
                }
            }
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([
                NSLightweightMigrationStage([checksums[0]]), stage, NSLightweightMigrationStage([checksums[3]]),
            ])
        default: break
        }
        let context = try versions.open(versions.names.count, options: options)
        let coordinator = try #require(context.persistentStoreCoordinator)
        defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
        if stores.way == .deferred { try coordinator.finishDeferredLightweightMigration() }
    }

    @Test(arguments: KillWay.allCases, Fault.Kind.allCases)
    func anErrorOfTheDiskLeavesAWholeStoreOfOneVersion(_ way: KillWay, _ kind: Fault.Kind) throws {
        let stores = try KillVersions(way, count: 60)
        let folder = stores.versions.folder.path
        defer { FaultyDisk.forget(folder) }
        var (runs, refused, call) = (0, 0, 1)
        while true {
            try stores.restore()
            FaultyDisk.set(Fault(kind: kind, call: call), in: folder)
            var failure: NSError?
            do {
                try open(stores)
            } catch {
                failure = error as NSError
            }
            let wasHit = FaultyDisk.calls(in: folder).failed > 0
            FaultyDisk.set(nil, in: folder)
            runs += 1
            if let failure {
                refused += 1
                expectEqual(failure.domain, NSCocoaErrorDomain, "\(failure)")
                #expect(!failure.localizedDescription.isEmpty)
            }
            // An error may also occur after the commit, when the migrated store is opened.
            _ = try stores.check()
            try open(stores)
            try expectEqual(stores.check(), stores.versions.names.count)
            guard wasHit else { break }
            call += Self.stride
        }
        print("\(way), \(kind): \(runs) runs, \(refused) refused")
        #expect(refused > 0)
    }

    @Test(.enabled(if: SmallVolume.canMount, "no volume can be mounted here"), arguments: KillWay.allCases)
    func aVolumeThatIsFullLeavesTheOldStoreAndSaysSo(_ way: KillWay) throws {
        let stores = try KillVersions(way, count: 3_000)
        let folder = stores.versions.folder
        let program = Bundle.main.bundleURL.appending(path: "MigrationProgram").path
        let size = try #require(FileManager.default.attributesOfItem(atPath: stores.versions.store.path)[.size] as? Int)
        // Leave space for the store and its files, and for a small part of the migration's writes.
        let kilobytes = size / 1024 + 3 * 160 + 150
        let result = try SmallVolume.run(
            """
            set -e
            cd '\(folder.path)'
            mkdir small
            mount -t tmpfs -o size=\(kilobytes)k none small
            cp -a Store.sqlite small/
            cp -a .Store_SUPPORT small/
            '\(program)' small/Store.sqlite '\(stores.versions.bundle.path)' \(way.argument) && echo done || true
            mount -o remount,size=200m small
            cp -a small large
            """
        )
        expectEqual(result.status, 0, "\(result.output)")
        let copy = folder.appending(path: "large/Store.sqlite")
        // The error contains Cocoa's code for a full disk.
        #expect(result.output.contains("640") || result.output.contains("done"), "\(result.output)")
        let version = try stores.check(copy)
        #expect(result.output.contains("done") || version < stores.versions.names.count || way == .deferred)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "large").path) {
            #expect(!name.hasSuffix(".migration"), "\(name)")
        }
    }
}
