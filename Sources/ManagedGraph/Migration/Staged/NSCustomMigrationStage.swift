// A stage between two versions, with handlers of the program. Part of an NSStagedMigrationManager.
import Foundation

/// A stage from one version to the next, with the program's own work before and after the inferred migration.
///
/// A stage with a handler works on a copy of the store, which replaces the store when the stage is complete: if a
/// step fails or the process ends, the store is in its state before the stage or after it.
///
/// See [NSCustomMigrationStage](https://developer.apple.com/documentation/coredata/nscustommigrationstage).
open class NSCustomMigrationStage: NSMigrationStage {
    /// The version that the stage begins with.
    public final let currentModel: NSManagedObjectModelReference
    /// The version that the stage ends with.
    public final let nextModel: NSManagedObjectModelReference
    /// Called before the migration, with a container of `currentModel`; an error that it throws ends the migration.
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
    /// Called after the migration, with a container of `nextModel`; an error that it throws ends the migration.
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Makes a stage between two versions.
    ///
    /// - Parameters:
    ///   - currentModel: The version that the stage begins with.
    ///   - nextModel: The version that it ends with.
    public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference)
    {
        self.currentModel = currentModel
        self.nextModel = nextModel
        super.init()
    }
}
