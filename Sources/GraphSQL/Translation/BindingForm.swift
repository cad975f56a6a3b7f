// The forms in which a constant of a fetch is bound.
import Foundation

/// How a constant is written for the column it meets.
enum BindingForm: Hashable, Sendable {
    case value(StorageClass)
    /// The smallest value that sorts after every text that begins with the constant.
    case prefixEnd
    /// One element of a constant collection; past its end, the last one.
    case element(Int, StorageClass)
    /// A constant collection as one value.
    case list(StorageClass)
}
