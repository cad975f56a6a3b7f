/// Derived values of an entity that are requested often, computed once.
///
/// Made when a coordinator takes the model; never changed afterwards, so that all threads may read it.
struct EntityCache {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    /// The entity itself and all above it.
    let lineage: Set<ObjectIdentifier>

    init(_ entity: NSEntityDescription) {
        properties = entity.collectProperties()
        propertiesByName = NSEntityDescription.byName(properties) { $0 }
        attributesByName = NSEntityDescription.byName(properties) { $0 as? NSAttributeDescription }
        relationshipsByName = NSEntityDescription.byName(properties) { $0 as? NSRelationshipDescription }
        lineage = Set(entity.lineage.map(ObjectIdentifier.init))
    }
}
