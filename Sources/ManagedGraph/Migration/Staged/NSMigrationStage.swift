// The base class of the stages of a staged migration. Lists of them make an NSStagedMigrationManager.
import Foundation

/// A step of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
///
/// See [NSMigrationStage](https://developer.apple.com/documentation/coredata/nsmigrationstage).
open class NSMigrationStage: NSObject {
    /// The name of the stage in errors; empty unless set, and after it is set to nil.
    open var label: String! = "" {
        didSet { if label == nil { label = "" } }
    }

    /// Made by the two kinds of stages.
    override init() {
        super.init()
    }
}
