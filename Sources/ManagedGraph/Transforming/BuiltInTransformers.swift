// The built-in transformers, registered by ValueTransformer.
import Foundation
import GraphArchives

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
    /// - Returns: The value; nil if the data is not an archive or contains a class that is not allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value.flatMap({ Data(of: $0) }) else { return nil }
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
