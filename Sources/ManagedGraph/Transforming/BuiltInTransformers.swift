// The transformers that have a name from the start. Registered by ValueTransformer.
import Foundation

/// Makes archives of values, with secure coding, and values of archives that hold only allowed classes.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that an archive's value, and the members of its collections, may have.
    ///
    /// Property list classes, URLs, UUIDs and `NSNull` unless overridden.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// The value of an archive.
    ///
    /// - Parameter value: The archive, as `Data`.
    /// - Returns: The value; nil where the data are no archive, or hold a class that is not allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return Archive.value(of: data, allowed: Self.allowedTopLevelClasses)
    }

    /// The archive of a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The archive, as `Data`; nil where the value does not support secure coding.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: true) }
    }
}

/// Makes archives of values and values of archives, whatever the classes.
final class UnarchivingTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { Archive.value(of: $0, allowed: nil) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: false) }
    }
}

/// Turns truth values round.
final class NegatingTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !(value.flatMap(Value.number)?.boolValue ?? false))
    }
}

/// Whether there is a value.
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
