// The kinds of results that NSFetchRequest can return.
import Foundation

/// The kind of results of a fetch; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes a type from Apple's bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType: NSFetchRequestResultType = []
    /// Identifiers.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of the properties to fetch.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// A single number.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
