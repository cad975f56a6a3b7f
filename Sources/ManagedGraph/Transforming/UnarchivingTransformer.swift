// The built-in transformers, registered by ValueTransformer. Beside `NSSecureUnarchiveFromDataTransformer`.
import Foundation

/// Archives and unarchives values of any class.
final class UnarchivingTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { Archive.value(of: $0, allowed: nil) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: false) }
    }
}
