// The mapping of the objects of one entity. Part of a mapping model; read by NSMigrationManager.
import Foundation

/// The mapping of objects of one source entity to objects of one destination entity.
///
/// See [NSEntityMapping](https://developer.apple.com/documentation/coredata/nsentitymapping).
open class NSEntityMapping: NSObject {
    /// The mapping's name, by which expressions name it: `SourceToDestination` unless set.
    open var name: String!
    /// The kind of change.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType
    /// The source's entity; nil for an added one.
    open var sourceEntityName: String?
    /// The version hash of the source's entity, 32 bytes.
    open var sourceEntityVersionHash: Data?
    /// The destination's entity; nil for a removed one.
    open var destinationEntityName: String?
    /// The version hash of the destination's entity, 32 bytes.
    open var destinationEntityVersionHash: Data?
    /// The mappings of the destination's attributes.
    open var attributeMappings: [NSPropertyMapping]?
    /// The mappings of the destination's relationships.
    open var relationshipMappings: [NSPropertyMapping]?
    /// The expression for the source's objects; nil for all of the source's entity.
    open var sourceExpression: NSExpression?
    /// Values of the user for the mapping.
    open var userInfo: [AnyHashable: Any]?
    /// The class of the migration policy, such as `App.NotePolicy`; nil for `NSEntityMigrationPolicy`.
    open var entityMigrationPolicyClassName: String?

    /// Whether another entity mapping is equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        if self === other { return true }
        return name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
            && destinationEntityName == other.destinationEntityName
            && sourceEntityVersionHash == other.sourceEntityVersionHash
            && destinationEntityVersionHash == other.destinationEntityVersionHash
            && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
            && sourceExpression == other.sourceExpression
            && (attributeMappings ?? []) == (other.attributeMappings ?? [])
            && (relationshipMappings ?? []) == (other.relationshipMappings ?? [])
    }

    /// A hash of the names.
    open override var hash: Int { [name, sourceEntityName, destinationEntityName].hashValue }

    /// Makes an empty mapping.
    public override init() {
        super.init()
    }
}
