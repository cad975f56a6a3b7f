// The error for a value that cannot be archived.
import Foundation

/// A constant that has no archived form.
struct UnarchivableConstant: Error {
    let reason: String
}
