// A stage of versions between which the mapping can be inferred. Part of an NSStagedMigrationManager.
import Foundation

/// A stage that infers its mapping, over one or several versions of a model.
///
/// The migration stops at each version whose model the program has, so that changes which only work one after the other
/// do; versions whose model is gone are skipped.
///
/// See [NSLightweightMigrationStage](https://developer.apple.com/documentation/coredata/nslightweightmigrationstage).
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, the oldest first; as `NSManagedObjectModel.versionChecksum` gives them.
    public final let versionChecksums: [String]

    /// Makes a stage of versions.
    ///
    /// - Parameter versionChecksums: The versions' checksums, the oldest first.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }
}
