// An order of texts for SQL, and its name after COLLATE.
import Foundation
import GraphPredicates

/// An order of texts for SQL.
package struct SQLCollation: Sendable {
    /// The name after COLLATE; Apple's if it is known.
    package let name: String
    /// A negative number, 0 or a positive one, for two texts as UTF-8.
    package let compare: @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int
}
