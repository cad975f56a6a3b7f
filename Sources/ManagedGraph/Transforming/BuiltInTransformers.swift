// The built-in transformers, registered by ValueTransformer.
import Foundation

/// Archives values with secure coding, and unarchives values of allowed classes only.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes allowed for an archive's value and the members of its collections.
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
    /// - Returns: The value; nil if the data is no archive or contains a class that is not allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return Archive.value(of: data, allowed: Self.allowedTopLevelClasses)
    }

    /// The archive of a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The archive, as `Data`; nil if the value does not support secure coding.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: true) }
    }
}

/// Archives and unarchives values of any class.
final class UnarchivingTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { Archive.value(of: $0, allowed: nil) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { Archive.data(of: $0, isSecure: false) }
    }
}

/// Negates truth values.
final class NegatingTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !(value.flatMap(Value.number)?.boolValue ?? false))
    }
}

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
