// Facts about relationships for SchemaLayout: which entity declares the inverse, and an entity's many-to-many relationships.
import GraphModel

extension SchemaLayout {
    /// Relationships that have columns, by name.
    func storedRelationships(of place: EntityNumbering.Place) -> [Relationship] {
        place.entity.relationships.filter { !$0.common.isTransient }.sorted { $0.name < $1.name }
    }

    /// An entity's many-to-many relationships, inherited ones included, by descending name, with the entity that declares each.
    func manyToManySides(of index: Int) -> [(index: Int, relationship: Relationship)] {
        var sides: [String: (index: Int, relationship: Relationship)] = [:]
        var current: Int? = index
        while let place = current {
            // A relationship that is declared again keeps the place of the uppermost declaration, as columns do.
            for relationship in storedRelationships(of: numbering.places[place])
            where relationship.isToMany && inverse(of: relationship)?.relationship.isToMany == true {
                sides[relationship.name] = (place, relationship)
            }
            current = numbering.places[place].parent
        }
        return sides.values.sorted { $0.relationship.name > $1.relationship.name }
    }

    /// The inverse, with the entity that declares it: the destination or one above it.
    func inverse(of relationship: Relationship) -> (place: EntityNumbering.Place, relationship: Relationship)? {
        guard let name = relationship.inverseName else { return nil }
        var place = numbering[relationship.destinationEntityName]
        while let current = place {
            if let relationship = current.entity.relationships.first(where: {
                $0.name == name && !$0.common.isTransient
            }) {
                return (current, relationship)
            }
            place = current.parent.map { numbering.places[$0] }
        }
        return nil
    }
}
