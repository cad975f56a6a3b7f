// Opens a store with the current version of a model, so that it is migrated. Run by tests, which kill it meanwhile.
// Arguments: the store, the .xcdatamodeld, and the mode: plain (default), staged, deferred.
import Foundation
import ManagedGraph

let arguments = CommandLine.arguments
guard arguments.count >= 3, let model = NSManagedObjectModel(contentsOf: URL(filePath: arguments[2])) else {
    print("MigrationProgram STORE MODEL [plain|staged|deferred]")
    exit(2)
}
let bundle = URL(filePath: arguments[2])
let way = arguments.count > 3 ? arguments[3] : "plain"

/// The stages over four versions; the middle one names each object.
func stages() throws -> NSStagedMigrationManager {
    let checksums = try NSManagedObjectModel.__checksumsForVersionedModel(at: bundle)
    func checksum(_ number: Int) -> String { checksums["V\(number)"] ?? "" }
    func reference(_ number: Int) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(fileURL: bundle, versionChecksum: checksum(number))
    }
    let stage = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
    stage.willMigrateHandler = { manager, _ in
        guard let context = manager.container?.newBackgroundContext() else { return }
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            for (number, note) in try context.fetch(request).enumerated() {
                note.setValue("named \(note.value(forKey: "title") ?? "")", forKey: "name")
                // Part of the changes may be saved when the process ends.
                if number % 1_000 == 999 { try context.save() }
            }
            try context.save()
        }
    }
    return NSStagedMigrationManager([
        NSLightweightMigrationStage([checksum(1)]), stage, NSLightweightMigrationStage([checksum(4)]),
    ])
}

do {
    var options: [AnyHashable: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    if way == "staged" { options[NSPersistentStoreStagedMigrationManagerOptionKey] = try stages() }
    if way == "deferred" { options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: arguments[1]), options: options)
    if way == "deferred" { try coordinator.finishDeferredLightweightMigration() }
    try coordinator.remove(store)
    print("migrated")
} catch {
    print("\((error as NSError).code) \(error)")
    exit(1)
}
