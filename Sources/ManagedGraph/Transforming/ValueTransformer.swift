// Named value transformers, which Foundation lacks outside Apple's platforms. Transformable attributes refer to them by
// name.
import Foundation
import GraphEngine
import Synchronization

/// A transformation of values, registered and looked up by name.
///
/// A transformable attribute's transformer converts the value to data in `transformedValue` and back in
/// `reverseTransformedValue`. A subclass of `NSSecureUnarchiveFromDataTransformer` does the reverse, as in Apple's
/// framework. See [ValueTransformer](https://developer.apple.com/documentation/foundation/valuetransformer).
open class ValueTransformer: NSObject {
    private struct Registry: @unchecked Sendable {
        var byName: [NSValueTransformerName: ValueTransformer] = [
            .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
            .keyedUnarchiveFromDataTransformerName: UnarchivingTransformer(),
            .unarchiveFromDataTransformerName: UnarchivingTransformer(),
            .negateBooleanTransformerName: NegatingTransformer(),
            .isNilTransformerName: PresenceTransformer(isNil: true),
            .isNotNilTransformerName: PresenceTransformer(isNil: false),
        ]
    }

    private static let registry = Mutex(Registry())

    /// Names of constants and of the class, which models contain in place of a registered name.
    ///
    /// Apple's framework has no transformers by the first three names and archives the value instead.
    private static let mistakenNames = [
        "NSSecureUnarchiveFromDataTransformerName": NSValueTransformerName.keyedUnarchiveFromDataTransformerName,
        "NSKeyedUnarchiveFromDataTransformerName": .keyedUnarchiveFromDataTransformerName,
        "NSUnarchiveFromDataTransformerName": .unarchiveFromDataTransformerName,
        "NSSecureUnarchiveFromDataTransformer": .secureUnarchiveFromDataTransformerName,
    ]

    /// Registers or removes a transformer.
    ///
    /// - Parameters:
    ///   - transformer: The transformer, which may then be used from any thread; nil removes the registered one.
    ///   - name: The name.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        let transfer = UnsafeTransfer(transformer)
        registry.withLock { $0.byName[name] = transfer.value }
    }

    /// The names of all registered transformers.
    ///
    /// - Returns: The names, in no particular order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
        registry.withLock { Array($0.byName.keys) }
    }

    /// The class of the values that `transformedValue(_:)` returns.
    ///
    /// - Returns: The class; `NSObject` unless overridden.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether the transformation is reversible.
    ///
    /// - Returns: True unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Makes a transformer.
    public required override init() { super.init() }

    /// Transforms a value.
    ///
    /// - Parameter value: The value, or nil.
    /// - Returns: The transformed value; `value` itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Transforms a value back.
    ///
    /// - Parameter value: The transformed value, or nil.
    /// - Returns: The original value; that of `transformedValue(_:)` unless overridden.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

    /// Finds the transformer of a name: a registered or built-in one, or a new one of the class with this name.
    static func find(_ name: String) -> ValueTransformer? {
        let key = NSValueTransformerName(name)
        let registered = registry.withLock { UnsafeTransfer($0.byName[key]) }.value
        if let registered { return registered }
        // Foundation logs each name of two dots that it does not find, as those of modules of tests are.
        if let mistaken = mistakenNames[name], NSClassFromString(name) == nil { return find(mistaken.rawValue) }
        for candidate in ManagedObjectRegistry.classNames(for: name) {
            guard let transformerClass = NSClassFromString(candidate) as? ValueTransformer.Type else { continue }
            let transformer = transformerClass.init()
            setValueTransformer(transformer, forName: key)
            return transformer
        }
        return nil
    }
}

extension ValueTransformer: ValueTransformerFinding {}
