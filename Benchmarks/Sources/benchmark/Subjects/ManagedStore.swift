// Opens stores with ManagedGraph and the pragmas that all subjects share. Called by Setting and the fillers.
import Foundation
import ManagedGraph

/// A container with one open store.
final class ManagedStore: Sendable {
    /// The model of the generated classes.
    static let modelName = "Entries"

    let container: NSPersistentContainer
    let file: URL

    init(_ file: URL, synchronous: String = "FULL", keepsHistory: Bool = false) throws {
        self.file = file
        container = NSPersistentContainer(name: Self.modelName)
        let description = NSPersistentStoreDescription(url: file)
        description.setValue("WAL" as NSString, forPragmaNamed: "journal_mode")
        description.setValue(synchronous as NSString, forPragmaNamed: "synchronous")
        if keepsHistory { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    func context() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// Closes the store; calling it again has no effect.
    func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Reads the count and the sum in the first two columns of a query's only row, on a separate connection.
    func checksum(_ text: String) throws -> Checksum { try CDatabase(file).checksum(text) }
}
