// Reports values that cannot be archived: closures, and constants without an archived form. Beside `ArchiveFailures`.
import Foundation
import Synchronization

/// A constant that has no archived form.
struct UnarchivableConstant: Error {
    let reason: String
}
