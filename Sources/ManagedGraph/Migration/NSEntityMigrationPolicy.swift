// The steps of migrating the objects of one entity mapping. Subclassed by users; called by NSMigrationManager.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQLite

/// The steps of an entity's migration.
///
/// See [NSEntityMigrationPolicy](https://developer.apple.com/documentation/coredata/nsentitymigrationpolicy).
open class NSEntityMigrationPolicy: NSObject {
    /// Makes a policy; the manager makes one for each entity mapping.
    public required override init() {
        super.init()
    }

    /// Called before the mapping's objects are made; does nothing.
    ///
    /// - Parameters:
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: An error that ends the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the destination's object for one of the source, sets its attributes and associates both.
    ///
    /// - Parameters:
    ///   - sInstance: The source's object.
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: 134170 if an expression cannot be evaluated.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        guard let name = mapping.destinationEntityName else { return }
        guard manager.destinationModel.entitiesByName[name]?.isAbstract != true else {
            throw CoreDataError.policyFailure(mapping, nil, "the entity \(name) is abstract, and can have no objects")
        }
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
        if mapping.mappingType == .copyEntityMappingType, mapping.attributeMappings == nil {
            for (key, attribute) in object.entity.attributesByName
            where !attribute.isTransient && sInstance.entity.attributesByName[key] != nil {
                var value = sInstance.value(forKey: key)
                if value == nil { value = try Self.unread(key, of: sInstance, for: key, object, mapping) }
                try Self.set(value, key, of: object, mapping)
            }
        }
        for property in mapping.attributeMappings ?? [] {
            guard let expression = property.valueExpression, let key = property.name else { continue }
            var value = try manager.value(of: expression, sInstance, object, mapping, property, self)
            if value == nil, case .keyPathOf(.variable(MigrationVariable.source), let path) = expression.node {
                value = try Self.unread(path.joined(separator: "."), of: sInstance, for: key, object, mapping)
            }
            if property.keepsDefault, value == nil || value is NSNull { continue }
            try Self.set(value, key, of: object, mapping)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
    }

    /// Called when all objects of the mapping are made; does nothing.
    ///
    /// - Parameters:
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: An error that ends the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a destination's object; the objects of all mappings are there.
    ///
    /// - Parameters:
    ///   - dInstance: The destination's object.
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: 134170 if an expression cannot be evaluated.
    open func createRelationships(
        forDestination dInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name ?? "",
            destinationInstances: [dInstance]
        ).first
        if mapping.mappingType == .copyEntityMappingType, mapping.relationshipMappings == nil, let source {
            for (key, relationship) in dInstance.entity.relationshipsByName
            where !relationship.isTransient && source.entity.relationshipsByName[key] != nil {
                let members = MigrationObjects.list(source.value(forKey: key))
                try Self.set(manager.destinations(of: members), relationship, of: dInstance, mapping, manager)
            }
        }
        for property in mapping.relationshipMappings ?? [] {
            guard let expression = property.valueExpression, let key = property.name else { continue }
            guard let relationship = dInstance.entity.relationshipsByName[key] else {
                throw CoreDataError.policyFailure(mapping, key, "the destination has no relationship of this name")
            }
            let value = try manager.value(of: expression, source, dInstance, mapping, property, self)
            try Self.set(MigrationObjects.list(value), relationship, of: dInstance, mapping, manager)
        }
    }

    /// Sets a relationship to objects, which have to be the destination's and of the right entity.
    private static func set(
        _ objects: [NSManagedObject],
        _ relationship: NSRelationshipDescription,
        of object: NSManagedObject,
        _ mapping: NSEntityMapping,
        _ manager: NSMigrationManager
    ) throws {
        let key = relationship.name
        for member in objects {
            guard member.managedObjectContext === manager.destinationContext else {
                throw CoreDataError.policyFailure(
                    mapping,
                    key,
                    "the value contains objects of another context than the destination's"
                )
            }
            if let entity = relationship.destinationEntity, !member.entity.isKindOf(entity: entity) {
                throw CoreDataError.policyFailure(
                    mapping,
                    key,
                    "an object of \(member.entity.name ?? "") is not a member of \(entity.name ?? "")"
                )
            }
        }
        if !relationship.isToMany {
            object.setValue(objects.first, forKey: key)
        } else if relationship.isOrdered {
            object.setValue(NSOrderedSet(array: objects), forKey: key)
        } else {
            object.setValue(Set(objects), forKey: key)
        }
        // If the other side is to-one, objects may be removed again.
        guard relationship.inverseRelationship?.isToMany != false, !objects.isEmpty else { return }
        let place = ReferenceVerification.Place(entity: object.entity.name ?? "", property: key)
        manager.noted[place, default: 0] += relationship.isToMany ? Set(objects.map(ObjectIdentifier.init)).count : 1
    }

    /// Called when all relationships of the mapping are set; does nothing.
    ///
    /// - Parameters:
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: An error that ends the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called when the relationships of all mappings are set; does nothing.
    ///
    /// - Parameters:
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: An error that ends the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called at the end of the mapping; does nothing.
    ///
    /// - Parameters:
    ///   - mapping: The entity mapping.
    ///   - manager: The migration.
    /// - Throws: An error that ends the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// The value of a method that an expression calls: `FUNCTION($entityPolicy, "color:", $source.color)`.
    ///
    /// Outside Apple's platforms methods cannot be found by their selectors: override this and call them.
    ///
    /// - Parameters:
    ///   - selector: The selector in the expression.
    ///   - arguments: The arguments' values.
    /// - Returns: The method's value.
    /// - Throws: 134170 unless overridden.
    open func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
        throw CoreDataError.missingMethod(selector, of: self, "$entityPolicy")
    }

    /// Sets an attribute; a value of another type than the attribute's is an error, not a stop.
    private static func set(_ value: Any?, _ key: String, of object: NSManagedObject, _ mapping: NSEntityMapping) throws
    {
        guard let attribute = Self.attribute(at: key, of: object) else {
            throw CoreDataError.policyFailure(mapping, key, "the destination has no attribute of this name")
        }
        let value = value is NSNull ? nil : value
        let type = GraphModel.AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
        if let value, type.isNumeric, Value.number(value) != nil {
            // Numbers become numbers of another type, without their fraction if that type has none.
            guard Value(value, as: type) != nil else {
                throw CoreDataError.policyFailure(
                    mapping,
                    key,
                    "the value \(value) is outside the range of \(type.title)"
                )
            }
        } else if let value, !(value is UnreadableValue), !ValueTypeCheck.accepts(value, as: type) {
            throw CoreDataError.policyFailure(
                mapping,
                key,
                "the value \(value) is none of the attribute's type, \(ValueTypeCheck.expectation(of: type))"
            )
        }
        object.setValue(value, forKeyPath: key)
    }

    /// An attribute, or an element of a composite one by its path.
    private static func attribute(at path: String, of object: NSManagedObject) -> NSAttributeDescription? {
        if let attribute = object.entity.attributesByName[path] { return attribute }
        let keys = path.split(separator: ".").map(String.init)
        var attribute = keys.first.flatMap { object.entity.attributesByName[$0] }
        for key in keys.dropFirst() {
            attribute = (attribute as? NSCompositeAttributeDescription)?.elements.first { $0.name == key }
        }
        return attribute
    }

    /// The bytes of a value that this program cannot read, which are kept as they are; nil if there are none.
    ///
    /// Throws if the destination would read them in another way: the value would be lost.
    private static func unread(
        _ name: String,
        of source: NSManagedObject,
        for key: String,
        _ object: NSManagedObject,
        _ mapping: NSEntityMapping
    ) throws -> UnreadableValue? {
        guard let slot = source.layout.slot(named: name), case .any(let box) = source.currentValue(slot),
            let value = box.value as? UnreadableValue
        else { return nil }
        let (old, new) = (Self.attribute(at: name, of: source), Self.attribute(at: key, of: object))
        guard new?.attributeType == .transformableAttributeType, new?.valueTransformerName == old?.valueTransformerName
        else {
            throw CoreDataError.policyFailure(
                mapping,
                key,
                "the value of \(name) cannot be read, as its class or its value transformer "
                    + "\(old?.valueTransformerName ?? "") is not there. Register it before the store is migrated"
            )
        }
        return value
    }
}

extension NSEntityMigrationPolicy: SelectorAnswering {
    package func answer(_ selector: String, _ arguments: [Any?]) throws -> SelectorAnswer? {
        SelectorAnswer(try value(forSelector: selector, arguments: arguments))
    }
}

extension CoreDataError {
    /// The error for a method that an expression of a mapping model calls, and its object lacks: 134170.
    static func missingMethod(_ selector: String, of object: AnyObject, _ variable: String) -> NSError {
        make(
            NSEntityMigrationPolicyError,
            "\(type(of: object)) has no method for the selector \(selector).",
            reason: "an expression of the mapping model calls \(selector) of \(variable)",
            remedy: "Override value(forSelector:arguments:) of \(type(of: object)) and call the method there."
        )
    }
}
