// The default value of an attribute. Part of `Attribute`.
import Foundation

/// A default value, typed.
package enum DefaultValue: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case boolean(Bool)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case data(Data)
    /// The keyed archive of a value that model files cannot represent, such as a transformable's.
    case archive(Data)
}
