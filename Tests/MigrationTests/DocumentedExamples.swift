// The examples of Documentation/Migration.md, each Swift block line by line. Compared with the page and called by
// DocumentedExampleTests.
import Foundation
import ManagedGraph
import ManagedGraphTesting
import Testing

final class DocumentedExamples {
    let versions: Versions
    init(_ versions: Versions) { self.versions = versions }

    func lightweight(_ storeURL: URL, _ model: NSManagedObjectModel) throws {
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
        container.loadPersistentStores { description, error in
            if let error = error as NSError? {
                print(error.localizedDescription, error.userInfo["entity"] ?? "", error.userInfo["property"] ?? "")
            }
        }
        try container.close()
    }

    func progress(_ coordinator: NSPersistentStoreCoordinator, _ description: NSPersistentStoreDescription) {
        let progress = Progress(totalUnitCount: 100)
        progress.becomeCurrent(withPendingUnitCount: 100)
        coordinator.addPersistentStore(with: description) { _, error in
            // Code 134120 after progress.cancel(): the store is as it was.
        }
        progress.resignCurrent()
    }

    func staged(
        _ description: NSPersistentStoreDescription,
        _ modelURL: URL,
        _ checksum1: String,
        _ checksum2: String,
        _ checksum3: String,
        _ checksum4: String
    ) {
        let split = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(fileURL: modelURL, versionChecksum: checksum2),
            to: NSManagedObjectModelReference(fileURL: modelURL, versionChecksum: checksum3)
        )
        split.label = "split names"
        split.willMigrateHandler = { manager, stage in
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
                    let names = (person.value(forKey: "fullName") as? String ?? "").split(separator: " ")
                    person.setValue(names.first.map(String.init), forKey: "first")
                    person.setValue(names.last.map(String.init), forKey: "last")
                }
                try context.save()
            }
        }
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([checksum1]),
            split,
            NSLightweightMigrationStage([checksum4]),
        ])
        description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
    }

    func deferred(_ description: NSPersistentStoreDescription, _ coordinator: NSPersistentStoreCoordinator) throws {
        description.setOption(
            NSNumber(value: true),
            forKey: NSPersistentStoreDeferredLightweightMigrationOptionKey
        )
        // Later, when there is time:
        try coordinator.finishDeferredLightweightMigration()
    }

    func mapping(
        _ oldModel: NSManagedObjectModel,
        _ newModel: NSManagedObjectModel,
        _ storeURL: URL,
        _ newURL: URL,
        _ steps: [NSMappingModel]
    ) throws {
        let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: newModel)
        for step in steps {
            try manager.migrateStore(from: storeURL, type: .sqlite, mapping: step, to: newURL, type: .sqlite)
        }
    }

    func fixtures(_ modelURL: URL, _ folder: URL) throws {
        let fixtures = try StoreFixtures(model: modelURL, in: folder)
        try fixtures.record()
        for result in try fixtures.check() {
            #expect(result.problems == [] && result.refused == [], "\(result.version)")
        }
        try fixtures.open("V2") { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
            #expect(count > 0)
        }
    }
}

extension NSPersistentContainer {
    /// Removes the stores, so that other coordinators can open them.
    fileprivate func close() throws {
        for store in persistentStoreCoordinator.persistentStores { try persistentStoreCoordinator.remove(store) }
    }
}
