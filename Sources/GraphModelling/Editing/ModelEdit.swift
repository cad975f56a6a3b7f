// The changes of a model that an editor makes, each applied as a whole. Applied by ModelEditor.

/// A change of a model.
public enum ModelEdit: Sendable, Hashable, Codable {
    /// Adds an entity; nil for a free name.
    case addEntity(name: String?, superentity: String?, position: CardPosition?)
    /// Adds an attribute or a fetched property; nil for a free name.
    case addProperty(entity: String, kind: PropertyKind, name: String?)
    /// Adds a relationship and, if `inverse` is not nil, its inverse; empty names are chosen.
    case addRelationship(
        entity: String,
        destination: String,
        name: String,
        isToMany: Bool,
        inverse: String?,
        isInverseToMany: Bool
    )
    /// Adds an element to the composite type of an attribute.
    case addElement(entity: String, property: String, name: String?)
    /// Adds a fetch request template.
    case addRequest(name: String?, entity: String?)
    /// Adds a configuration.
    case addConfiguration(name: String?)
    /// Adds an independent copy of an entity or a property.
    case duplicate(place: ModelPlace)
    /// Renames a part, with every reference to it in the model.
    case rename(place: ModelPlace, name: String)
    /// Removes a part, with every reference to it in the model.
    case remove(place: ModelPlace)
    /// Sets a field of a part; fields have the names that they have in the part's picture.
    case set(place: ModelPlace, field: String, value: ModelEditValue)
    /// Moves a part to another place among its kind.
    case move(place: ModelPlace, index: Int)
    /// Moves cards of the diagram.
    case arrange(cards: [CardPosition])
}
