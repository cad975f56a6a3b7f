// The values of one object as an incremental store knows them. Made by the store's class when a fault is filled.
import Foundation

/// A snapshot of an object's values, with a version.
///
/// See [NSIncrementalStoreNode](https://developer.apple.com/documentation/coredata/nsincrementalstorenode).
open class NSIncrementalStoreNode: NSObject {
    /// The identifier of the object.
    public final let objectID: NSManagedObjectID
    /// The version of the values; a higher one is newer.
    open private(set) var version: UInt64
    private var values: [String: Any]

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - objectID: The object's identifier.
    ///   - values: Attributes by name; to-one relationships as identifiers or `NSNull`, where they are known.
    ///   - version: The version of the values.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.values = values
        self.version = version
        super.init()
    }

    /// Replaces the values.
    ///
    /// - Parameters:
    ///   - values: The new values, as the initializer takes them.
    ///   - version: Their version.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values = values
        self.version = version
    }

    /// The value of a property.
    ///
    /// - Parameter prop: An attribute or a to-one relationship.
    /// - Returns: The value; nil where the node has none, `NSNull` for a relationship that leads nowhere.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
