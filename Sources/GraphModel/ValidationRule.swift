// A rule for the values of a property. Part of `PropertyCommon`.
import Foundation

/// A predicate that a value must satisfy, with the error code that Apple reports otherwise.
package struct ValidationRule: Sendable, Hashable {
    package var predicateFormat: String
    package var warning: String?
    /// The Cocoa error code (1610 number too large, 1660 string too long, …), or nil for 1550.
    package var errorCode: Int?

    package init(predicateFormat: String, warning: String? = nil, errorCode: Int? = nil) {
        self.predicateFormat = predicateFormat
        self.warning = warning
        self.errorCode = errorCode
    }
}
