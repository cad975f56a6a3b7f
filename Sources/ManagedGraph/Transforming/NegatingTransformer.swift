// The built-in transformer that negates a Boolean.
import Foundation

/// Negates truth values.
final class NegatingTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !(value.flatMap(Value.number)?.boolValue ?? false))
    }
}
