// The built-in transformers that test whether a value is nil.
import Foundation

/// Tests whether a value is nil or not nil.
final class PresenceTransformer: ValueTransformer {
    private let isNil: Bool

    init(isNil: Bool) {
        self.isNil = isNil
        super.init()
    }

    required convenience init() { self.init(isNil: true) }

    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }
    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: (value == nil || value is NSNull) == isNil)
    }
}
