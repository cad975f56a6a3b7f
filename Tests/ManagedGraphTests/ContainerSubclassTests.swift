// Subclasses of the container, as tests and applications write them.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

/// A container that replaces the parts of its stack.
private final class ReplacingContainer: NSPersistentContainer, @unchecked Sendable {
    private let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())

    override var name: String { super.name + " 2" }
    override var viewContext: NSManagedObjectContext { context }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
    override var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
}

struct ContainerSubclasses {
    @Test func aSubclassReplacesThePartsOfTheStack() throws {
        let container = ReplacingContainer(name: "Shop", managedObjectModel: TasksModel.make())
        expectEqual(container.name, "Shop 2")
        expectNil(container.viewContext.persistentStoreCoordinator)
        let other: NSPersistentContainer = container
        #expect(other.viewContext === container.viewContext)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { expectNil($1) }
        expectEqual(container.persistentStoreCoordinator.persistentStores.count, 1)
        #expect(other.newBackgroundContext().persistentStoreCoordinator === container.persistentStoreCoordinator)
        #expect(other.managedObjectModel === container.persistentStoreCoordinator.managedObjectModel)
    }
}
