// The protocol that takes the optional off an argument of a format.
import Foundation

/// Reveals a nil inside an `Any`.
protocol OptionalValue {
    var wrappedValue: Any? { get }
}
