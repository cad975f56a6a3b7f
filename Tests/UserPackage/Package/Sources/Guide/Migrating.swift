// The listings of MigratingStores.md.
import CoreData

func open(_ url: URL, with model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
        print("\(url.lastPathComponent) is migrated")
    }
    _ = try coordinator.addPersistentStore(
        type: .sqlite,
        at: url,
        options: [
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
        ]
    )
    return coordinator
}
