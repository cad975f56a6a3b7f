// Represents the stored bytes of a transformable that cannot be read. Created by Transforming; users see nil.
import Foundation

/// Stored bytes without a value.
///
/// They are written back unchanged; setting the property to nil counts as a change.
package final class UnreadableValue {
    package let stored: Data

    package init(_ stored: Data) { self.stored = stored }
}
