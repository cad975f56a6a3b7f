// The value of one property of a migrated object. Part of an entity mapping; evaluated by NSEntityMigrationPolicy.
import Foundation

/// The mapping of a property of the destination to the source.
///
/// See [NSPropertyMapping](https://developer.apple.com/documentation/coredata/nspropertymapping).
open class NSPropertyMapping: NSObject {
    /// The name of the destination's property.
    open var name: String?
    /// The value, with the variables `$manager`, `$source`, `$destination`, `$entityMapping`, `$propertyMapping` and
    /// `$entityPolicy`; nil keeps the value of a new object.
    open var valueExpression: NSExpression?
    /// Values of the user for the mapping.
    open var userInfo: [AnyHashable: Any]?

    /// Whether another property mapping is equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return self === other || (name == other.name && valueExpression == other.valueExpression)
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// Whether a missing value keeps the value of a new object, because the attribute has become required.
    final var keepsDefault = false

    /// Makes a mapping that sets nothing.
    public override init() {
        super.init()
    }
}
