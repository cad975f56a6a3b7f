// The inheritance of entities.
import Foundation

extension NSEntityDescription {
    /// The entity that this one inherits from.
    public var superentity: NSEntityDescription? { parent }

    /// The entities that inherit from this one directly.
    public var subentities: [NSEntityDescription] {
        get { children }
        set {
            requireEditable(isEditable, "the subentities of entity \(displayName)")
            for child in children where child.parent === self { child.parent = nil }
            children = newValue
            for child in children {
                precondition(
                    !lineage.contains { $0 === child },
                    "Entity \(child.displayName) cannot inherit from itself by way of \(displayName)."
                )
                child.parent = self
            }
            owner?.adoptSubentities()
        }
    }

    /// The direct subentities by name.
    public var subentitiesByName: [String: NSEntityDescription] {
        var result: [String: NSEntityDescription] = [:]
        for child in children {
            if let name = child.name { result[name] = child }
        }
        return result
    }

    /// Whether this is the given entity or inherits from it.
    ///
    /// O(1) once the model is in use.
    ///
    /// - Parameter entity: The entity that may be above this one.
    /// - Returns: True for the entity itself and everything below it.
    public func isKindOf(entity: NSEntityDescription) -> Bool {
        let (descendant, ancestor) = (original ?? self, entity.original ?? entity)
        if descendant === ancestor { return true }
        if let cache = descendant.cache { return cache.lineage.contains(ObjectIdentifier(ancestor)) }
        return descendant.lineage.contains { $0 === ancestor }
    }

    /// This entity, its superentity, and so on to the root.
    package final var lineage: [NSEntityDescription] {
        var result: [NSEntityDescription] = []
        var next: NSEntityDescription? = self
        while let entity = next {
            result.append(entity)
            next = entity.parent
        }
        return result
    }

    /// The topmost entity above this one, or itself.
    package final var rootEntity: NSEntityDescription {
        var entity = self
        while let parent = entity.parent { entity = parent }
        return entity
    }

    /// This entity and all below it, depth first.
    package final var selfAndDescendants: [NSEntityDescription] {
        [self] + children.flatMap(\.selfAndDescendants)
    }
}
