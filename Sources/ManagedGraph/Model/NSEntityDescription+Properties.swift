// The properties of an entity: all of them, by name and by kind.
import Foundation

extension NSEntityDescription {
    /// All properties: the inherited ones, the topmost entity's first, then the entity's own in declared order.
    ///
    /// Setting replaces the entity's own properties; inherited ones in the list are passed over.
    public var properties: [NSPropertyDescription] {
        get { cache?.properties ?? collectProperties() }
        set {
            requireEditable(isEditable, "the properties of entity \(displayName)")
            let inherited = Set((parent?.properties ?? []).map(ObjectIdentifier.init))
            for property in ownProperties where property.owner === self { property.owner = nil }
            ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
            for property in ownProperties {
                precondition(
                    property.owner == nil || property.owner === self,
                    "Property \(property.name) is already part of entity \(property.owner?.name ?? "?"): add a copy."
                )
                property.owner = self
            }
        }
    }

    /// All properties by name, inherited ones included.
    public var propertiesByName: [String: NSPropertyDescription] {
        cache?.propertiesByName ?? Self.byName(collectProperties()) { $0 }
    }

    /// All attributes by name, inherited ones included.
    public var attributesByName: [String: NSAttributeDescription] {
        cache?.attributesByName ?? Self.byName(collectProperties()) { $0 as? NSAttributeDescription }
    }

    /// All relationships by name, inherited ones included.
    public var relationshipsByName: [String: NSRelationshipDescription] {
        cache?.relationshipsByName ?? Self.byName(collectProperties()) { $0 as? NSRelationshipDescription }
    }

    /// The relationships, inherited ones included, whose destination is this entity.
    ///
    /// - Parameter entity: The destination.
    /// - Returns: The relationships in the order of `properties`.
    public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity == entity }
    }

    /// The properties that this entity itself declares.
    package var declaredProperties: [NSPropertyDescription] { ownProperties }

    /// The inherited properties and the own ones; an own one replaces an inherited one of the same name.
    final func collectProperties() -> [NSPropertyDescription] {
        guard let parent else { return ownProperties }
        let ownNames = Set(ownProperties.map(\.name))
        return parent.collectProperties().filter { !ownNames.contains($0.name) } + ownProperties
    }

    static func byName<T: NSPropertyDescription>(
        _ properties: [NSPropertyDescription],
        _ select: (NSPropertyDescription) -> T?
    ) -> [String: T] {
        var result: [String: T] = [:]
        for property in properties {
            if let selected = select(property) { result[property.name] = selected }
        }
        return result
    }
}
