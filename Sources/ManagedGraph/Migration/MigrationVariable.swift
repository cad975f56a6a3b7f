// The names of the variables of mapping expressions. Set by NSMigrationManager.
import Foundation

/// The names of the variables that mapping expressions use.
enum MigrationVariable {
    static let manager = "manager"
    static let source = "source"
    static let destination = "destination"
    static let entityMapping = "entityMapping"
    static let propertyMapping = "propertyMapping"
    static let entityPolicy = "entityPolicy"
}

/// The name of the variable that holds the migration manager.
public let NSMigrationManagerKey = MigrationVariable.manager
/// The name of the variable that holds the source's object.
public let NSMigrationSourceObjectKey = MigrationVariable.source
/// The name of the variable that holds the destination's object.
public let NSMigrationDestinationObjectKey = MigrationVariable.destination
/// The name of the variable that holds the entity mapping.
public let NSMigrationEntityMappingKey = MigrationVariable.entityMapping
/// The name of the variable that holds the property mapping.
public let NSMigrationPropertyMappingKey = MigrationVariable.propertyMapping
/// The name of the variable that holds the migration policy.
public let NSMigrationEntityPolicyKey = MigrationVariable.entityPolicy
