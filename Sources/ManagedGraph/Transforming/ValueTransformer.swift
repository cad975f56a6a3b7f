// Transformers of values by name: Foundation has none off Apple. Transformable attributes name theirs in the model.
import Foundation
import GraphEngine
import Synchronization

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as models have it.
    public let rawValue: String

    /// Makes a name.
    ///
    /// - Parameter rawValue: The name as models have it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    ///
    /// - Parameter rawValue: The name as models have it.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Archives of classes that support secure coding and that the transformer allows.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
    /// Archives of any class.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Archives of any class, by the older name.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// False for what is true, and the other way round.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether there is no value.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether there is a value.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
}

/// A transformation of values, registered by name and found by it.
///
/// A transformable attribute's transformer makes data of the value (`transformedValue`) and the value of data
/// (`reverseTransformedValue`); a subclass of `NSSecureUnarchiveFromDataTransformer` does it the other way round, as with
/// Apple's framework. See [ValueTransformer](https://developer.apple.com/documentation/foundation/valuetransformer).
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

    /// What models have in place of a name: the constants' and the class's.
    ///
    /// Apple's framework knows no transformer of the first three, and archives.
    private static let mistakenNames = [
        "NSSecureUnarchiveFromDataTransformerName": NSValueTransformerName.keyedUnarchiveFromDataTransformerName,
        "NSKeyedUnarchiveFromDataTransformerName": .keyedUnarchiveFromDataTransformerName,
        "NSUnarchiveFromDataTransformerName": .unarchiveFromDataTransformerName,
        "NSSecureUnarchiveFromDataTransformer": .secureUnarchiveFromDataTransformerName,
    ]

    /// Registers a transformer under a name, or takes one out.
    ///
    /// - Parameters:
    ///   - transformer: The transformer, which may then be used from any thread; nil takes the name's out.
    ///   - name: The name.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        let transfer = UnsafeTransfer(transformer)
        registry.withLock { $0.byName[name] = transfer.value }
    }

    /// The names of all registered transformers.
    ///
    /// - Returns: The names, in no order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
        registry.withLock { Array($0.byName.keys) }
    }

    /// The class of the values that `transformedValue(_:)` returns.
    ///
    /// - Returns: The class; `NSObject` unless overridden.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether there is a way back.
    ///
    /// - Returns: True unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Makes a transformer.
    public required override init() { super.init() }

    /// Transforms a value.
    ///
    /// - Parameter value: The value, or nil.
    /// - Returns: The other form; the value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Transforms a value back.
    ///
    /// - Parameter value: The other form, or nil.
    /// - Returns: The value; that of `transformedValue(_:)` unless overridden.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

    /// The transformer of a name: a registered one, Apple's among them, or a new one of the class with this name.
    static func find(_ name: String) -> ValueTransformer? {
        let key = NSValueTransformerName(name)
        let known = registry.withLock { UnsafeTransfer($0.byName[key]) }.value
        if let known { return known }
        for candidate in ManagedObjectRegistry.classNames(for: name) {
            guard let found = NSClassFromString(candidate) as? ValueTransformer.Type else { continue }
            let made = found.init()
            setValueTransformer(made, forName: key)
            return made
        }
        return mistakenNames[name].flatMap { find($0.rawValue) }
    }
}

/// Lets `ValueTransformer(forName:)` return a registered transformer.
public protocol ValueTransformerFinding {}

extension ValueTransformer: ValueTransformerFinding {}

extension ValueTransformerFinding where Self: ValueTransformer {
    /// The transformer of a name: a registered one, Apple's among them, or a new one of the class with this name.
    ///
    /// A class's name may stand without its module.
    ///
    /// - Parameter name: The name.
    public init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.find(name.rawValue) as? Self else { return nil }
        self = found
    }
}
