// The listings of ChoosingStores.md.
import CoreData

func containerInMemory() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Shop")
    let description = NSPersistentStoreDescription(url: URL(filePath: "/dev/null"))
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

func descriptionWithHistory(at url: URL) -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setValue("NORMAL" as NSString, forPragmaNamed: "synchronous")
    return description
}
