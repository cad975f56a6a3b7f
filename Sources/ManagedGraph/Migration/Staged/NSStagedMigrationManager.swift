// The stages between the versions of a model. Made by programs, given to a store's description; run by StagedMigration.
import Foundation

/// The stages that migrate a store from any version to the newest one.
///
/// See [NSStagedMigrationManager](https://developer.apple.com/documentation/coredata/nsstagedmigrationmanager).
open class NSStagedMigrationManager: NSObject {
    /// The stages, from the oldest version to the newest.
    public final let stages: [NSMigrationStage]
    /// The container that has the store open while a handler runs; nil at all other times.
    ///
    /// Its store is a copy of the one that is migrated. All work on it has to be done when the handler returns.
    public internal(set) final var container: NSPersistentContainer?

    /// Makes a manager.
    ///
    /// - Parameter stages: The stages, from the oldest version to the newest.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
        super.init()
    }
}
