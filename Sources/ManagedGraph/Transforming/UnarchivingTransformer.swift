// The built-in transformers of keyed archives with values of any class.
import Foundation
import GraphArchives

/// Archives and unarchives values of any class.
final class UnarchivingTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        value.flatMap { Data(of: $0) }.flatMap { Archive.value(of: $0, allowed: nil) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: false) }
    }
}
