// Copies of models that may be changed.
import Foundation

extension NSManagedObjectModel {
    /// A changeable model with copies of all entities, which refer to each other as the originals do.
    final func makeCopy() -> NSManagedObjectModel {
        let copy = NSManagedObjectModel()
        var copies: [ObjectIdentifier: NSEntityDescription] = [:]
        for root in allEntities where root.parent == nil {
            guard let rootCopy = root.copy(with: nil) as? NSEntityDescription else { continue }
            for (original, entityCopy) in zip(root.selfAndDescendants, rootCopy.selfAndDescendants) {
                copies[ObjectIdentifier(original)] = entityCopy
            }
        }
        copy.entities = allEntities.compactMap { copies[ObjectIdentifier($0)] }
        copy.rebindRelationships()
        for (name, entities) in configurationEntities {
            copy.configurationEntities.append((name, entities.compactMap { copies[ObjectIdentifier($0)] }))
        }
        for (name, request) in templates {
            if let request = request.copy() as? NSFetchRequest<any NSFetchRequestResult> {
                copy.templates.append((name, request))
            }
        }
        copy.versionIdentifiers = versionIdentifiers
        copy.localizationDictionary = localizationDictionary
        copy.origin = origin
        return copy
    }

    /// Points copied relationships, whose inverse is not in their destination, at the one of that name which is.
    ///
    /// A model may be made of copies of a pair of relationships, one pair for each entity.
    final func connectCopiedInverses() {
        for entity in allEntities {
            for case let relationship as NSRelationshipDescription in entity.ownProperties {
                guard let name = relationship.copiedInverseName, let destination = relationship.destinationEntity,
                    destination.owner === self,
                    !destination.properties.contains(where: { $0 === relationship.inverseRelationship }),
                    let inverse = destination.relationshipsByName[name], let target = inverse.destinationEntity,
                    entity.isKindOf(entity: target)
                else { continue }
                relationship.inverseRelationship = inverse
            }
        }
    }

    /// Points destinations and inverses at this model's own entities of the same names.
    final func rebindRelationships() {
        let byName = entitiesByName
        let relationships = allEntities.flatMap(\.ownProperties).compactMap { $0 as? NSRelationshipDescription }
        // The inverses' names are read before a destination changes, because the originals may be released by then.
        let inverseNames = relationships.map { $0.inverseRelationship?.name }
        for (relationship, inverseName) in zip(relationships, inverseNames) {
            guard let destinationName = relationship.destinationEntity?.name, let destination = byName[destinationName]
            else { continue }
            relationship.destinationEntity = destination
            relationship.inverseRelationship = inverseName.flatMap { destination.relationshipsByName[$0] }
        }
    }
}
