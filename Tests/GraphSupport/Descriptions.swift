// Models in code, in short. Used by tests of the framework; those of the modules below it use ModelSupport.
import Foundation
import ManagedGraph

extension NSAttributeDescription {
    package convenience init(
        _ name: String,
        _ type: NSAttributeType = .stringAttributeType,
        optional: Bool = true,
        default value: Any? = nil
    ) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = optional
        defaultValue = value
    }

    /// Optional attributes in this order.
    package static func list(_ types: KeyValuePairs<String, NSAttributeType>) -> [NSAttributeDescription] {
        types.map { NSAttributeDescription($0.key, $0.value) }
    }
}

extension NSRelationshipDescription {
    package convenience init(
        _ name: String,
        to destination: NSEntityDescription,
        toMany: Bool = false,
        rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false
    ) {
        self.init()
        self.name = name
        destinationEntity = destination
        maxCount = toMany ? 0 : 1
        deleteRule = rule
        isOrdered = ordered
    }

    /// Makes each of two relationships the other's inverse.
    package func pair(with inverse: NSRelationshipDescription) {
        inverseRelationship = inverse
        inverse.inverseRelationship = self
    }
}

extension NSEntityDescription {
    package convenience init(
        _ name: String,
        _ properties: [NSPropertyDescription] = [],
        type: NSManagedObject.Type? = nil
    ) {
        self.init()
        self.name = name
        if let type { managedObjectClassName = NSStringFromClass(type) }
        self.properties = properties
    }

    /// Adds a relationship to this entity, and its inverse to the other one.
    ///
    /// `rule` and `ordered` are those of the first; the inverse nullifies and has no order.
    package func relate(
        _ name: String,
        toMany: Bool = false,
        to other: NSEntityDescription,
        _ inverse: String,
        inverseToMany: Bool = false,
        rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false
    ) {
        let there = NSRelationshipDescription(name, to: other, toMany: toMany, rule: rule, ordered: ordered)
        let back = NSRelationshipDescription(inverse, to: self, toMany: inverseToMany)
        there.pair(with: back)
        properties.append(there)
        other.properties.append(back)
    }
}

extension NSManagedObjectModel {
    package convenience init(_ entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
    }
}
