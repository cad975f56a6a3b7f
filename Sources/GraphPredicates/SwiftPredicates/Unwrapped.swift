import Foundation

/// The wrapped type of an optional.
enum Unwrapped {
    static func type(_ type: Any.Type) -> Any.Type {
        (type as? any WrappingType.Type)?.wrapped ?? type
    }
}
