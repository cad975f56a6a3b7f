// A point in the history of one or more stores. Compared by transaction numbers; can be kept in an archive.
import Foundation

/// A point in the history of stores, from which a later request continues.
///
/// See [NSPersistentHistoryToken](https://developer.apple.com/documentation/coredata/nspersistenthistorytoken).
public final class NSPersistentHistoryToken: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The number of the last transaction by store.
    package let numbers: [String: Int64]
    private static let key = "storeTokens"

    package init(_ numbers: [String: Int64]) {
        self.numbers = numbers
        super.init()
    }

    /// Makes a token of no store, which stands for the beginning of every history.
    public convenience override init() { self.init([:]) }

    /// Tokens may be decoded from archives that are not trusted.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a token from an archive.
    ///
    /// - Parameter coder: The archive.
    public init?(coder: NSCoder) {
        guard
            let archivedNumbers = coder.decodeObject(
                of: [NSDictionary.self, NSString.self, NSNumber.self],
                forKey: Self.key
            ) as? [String: NSNumber]
        else { return nil }
        numbers = archivedNumbers.mapValues(\.int64Value)
        super.init()
    }

    /// Writes the token into an archive.
    ///
    /// - Parameter coder: The archive.
    public func encode(with coder: NSCoder) {
        coder.encode(NSDictionary(dictionary: numbers.mapValues { NSNumber(value: $0) }), forKey: Self.key)
    }

    /// The token itself: it cannot be changed.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The token.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether two tokens stand for the same point.
    ///
    /// - Parameter object: Another object.
    /// - Returns: Whether it is a token of the same stores and transactions.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.numbers == numbers
    }

    /// The same for equal tokens.
    public override var hash: Int { numbers.hashValue }

    /// The stores with the numbers of their transactions.
    public override var description: String {
        "<NSPersistentHistoryToken - \(numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })>"
    }
}
