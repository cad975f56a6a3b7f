/// The ways in which an entity mapping treats its objects; raw values are Apple's.
///
/// See [NSEntityMappingType](https://developer.apple.com/documentation/coredata/nsentitymappingtype).
public enum NSEntityMappingType: UInt, Sendable {
    /// Not specified; treated as a custom mapping.
    case undefinedEntityMappingType = 0
    /// The migration policy does it.
    case customEntityMappingType = 1
    /// The entity is new.
    case addEntityMappingType = 2
    /// The entity was removed; its objects are not migrated.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity has changed.
    case transformEntityMappingType = 5
}
