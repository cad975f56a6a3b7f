import Foundation

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name used in models.
    public let rawValue: String

    /// Makes a name.
    ///
    /// - Parameter rawValue: The name used in models.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    ///
    /// - Parameter rawValue: The name used in models.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Archives of classes that support secure coding and that the transformer allows.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
    /// Archives of any class.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Archives of any class, under the older name.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// Negates a Boolean value.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether there is no value.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether there is a value.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
}
