// A transformer that calls a closure, for tests of programs that do too much in their transformers.
import Foundation
import ManagedGraph

/// Stores texts as their bytes, after a call.
final class CallingTransformer: ValueTransformer {
    static let name = "CallingTransformer"
    var call: () -> Void = {}

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        call()
        return (value as? String).map { Data($0.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
