// Unwraps values that were boxed as Any. Used by accessors, key-value coding, batch requests and transformers.
import Foundation

/// Strips the optionals of a value that was boxed as Any, and reduces enumerations to their raw values unless
/// `keepsEnumerations`.
func flatten(_ value: Any?, keepsEnumerations: Bool = false) -> Any? {
    guard let value else { return nil }
    // The usual values are neither, and the casts below search all conformances.
    switch type(of: value) {
    case is String.Type, is Int.Type, is Double.Type, is Bool.Type, is Date.Type: return value
    case let type as NSObject.Type where type != NSNumber.self: return value
    default: break
    }
    if let optional = value as? any OptionalValue {
        return flatten(optional.wrappedAny, keepsEnumerations: keepsEnumerations)
    }
    if !keepsEnumerations, !(type(of: value) is AnyObject.Type), let raw = value as? any RawRepresentable,
        !(value is NSNumber)
    {
        return raw.rawValue
    }
    return value
}

private protocol OptionalValue {
    var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedAny: Any? { map { $0 as Any } }
}
