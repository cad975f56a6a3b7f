// What SchemaLayout asks about relationships: who declares the inverse, and which side of a many-to-many names the table.
import GraphModel

extension SchemaLayout {
    /// Relationships that have columns, by name.
    func storedRelationships(of place: EntityNumbering.Place) -> [Relationship] {
        place.entity.relationships.filter { !$0.common.isTransient }.sorted { $0.name < $1.name }
    }

    /// Relationships to many whose inverse is to many, by name.
    func manyToMany(of place: EntityNumbering.Place) -> [Relationship] {
        storedRelationships(of: place).filter {
            $0.isToMany && inverse(of: $0)?.relationship.isToMany == true
        }
    }

    /// The inverse, with the entity that declares it: the destination or one above it.
    func inverse(of relationship: Relationship) -> (place: EntityNumbering.Place, relationship: Relationship)? {
        guard let name = relationship.inverseName else { return nil }
        var place = numbering[relationship.destinationEntityName]
        while let current = place {
            if let found = current.entity.relationships.first(where: { $0.name == name && !$0.common.isTransient }) {
                return (current, found)
            }
            place = current.parent.map { numbering.places[$0] }
        }
        return nil
    }

    /// Whether a side gives the join table its number and name: the entity whose name sorts first; of two
    /// relationships of one entity the one whose name sorts last.
    func isOwner(
        _ place: EntityNumbering.Place,
        _ relationship: Relationship,
        _ otherPlace: EntityNumbering.Place,
        _ other: Relationship
    ) -> Bool {
        if place.number != otherPlace.number {
            return place.entity.name < otherPlace.entity.name
        }
        return relationship.name >= other.name
    }
}
