// Opens a store with the current version of a model, so that it is migrated: run by the tests, which kill it meanwhile.
// Arguments: the store, the .xcdatamodeld.
import Foundation
import ManagedGraph

let arguments = CommandLine.arguments
guard arguments.count == 3, let model = NSManagedObjectModel(contentsOf: URL(filePath: arguments[2])) else {
    print("MigrationProgram STORE MODEL")
    exit(2)
}
do {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
        type: .sqlite,
        at: URL(filePath: arguments[1]),
        options: [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
    )
    try coordinator.remove(store)
    print("migrated")
} catch {
    print("\(error)")
    exit(1)
}
