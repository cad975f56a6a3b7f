// A manager that lets tests act after each object. Used by the tests of mapping models.
import ManagedGraph

/// Runs a closure after each object has been migrated.
final class ObservedManager: NSMigrationManager {
    var onAssociation: (ObservedManager) -> Void = { _ in }

    override func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        super.associate(
            sourceInstance: sourceInstance,
            withDestinationInstance: destinationInstance,
            for: entityMapping
        )
        onAssociation(self)
    }
}
