// What the stages of a staged migration have in common. Lists of them make an NSStagedMigrationManager.
import Foundation

/// A step of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
///
/// See [NSMigrationStage](https://developer.apple.com/documentation/coredata/nsmigrationstage).
open class NSMigrationStage: NSObject {
    /// What the stage is called in errors; nil unless set.
    open var label: String?

    /// Made by the two kinds of stages.
    override init() {
        super.init()
    }
}
