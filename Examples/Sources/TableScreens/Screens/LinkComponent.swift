// A part of the address of a screen.
import CoreData
import Foundation

/// A part of an address.
public enum LinkComponent: ExpressibleByStringLiteral {
    /// A fixed word.
    case word(String)
    /// A saved object.
    case object(NSManagedObject)

    /// A fixed word.
    ///
    /// - Parameter value: The word.
    public init(stringLiteral value: String) { self = .word(value) }
}
