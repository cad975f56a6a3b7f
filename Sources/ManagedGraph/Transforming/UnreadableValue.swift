// What stands for a transformable's stored bytes that cannot be read. Made by Transforming; users see nil.
import Foundation

/// Stored bytes without a value.
///
/// They are written back as they are, and setting the property to nil is a change.
package final class UnreadableValue {
    package let stored: Data

    package init(_ stored: Data) { self.stored = stored }
}
