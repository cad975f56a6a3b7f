// The correspondence between the entities and properties of two model versions: the result of an inference. Read by
// migration plans (GraphSQL) and by NSMappingModel. Values only; independent of stores.

/// The correspondence between two versions of a model.
package struct ModelMapping: Sendable, Hashable {
    /// Removed entities first, then the destination's entities in their order.
    package var entities: [EntityPair]

    package init(entities: [EntityPair]) {
        self.entities = entities
    }

    /// The pair with a destination entity.
    package func pair(destination name: String) -> EntityPair? {
        entities.first { $0.destination == name }
    }

    /// The counterpart of a source entity; nil if it was removed.
    package func destination(of source: String) -> String? {
        entities.first { $0.source == source }?.destination
    }
}

/// An entity in both versions, or in one of them.
package struct EntityPair: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case add, remove
        /// The version hashes agree.
        case copy
        case transform
    }

    package var kind: Kind
    package var source: String?
    package var destination: String?
    /// Pairs for the destination's stored attributes, including inherited ones; elements of composites by path.
    package var attributes: [PropertyPair]
    /// Pairs for the destination's stored relationships, including inherited ones.
    package var relationships: [PropertyPair]

    package init(
        kind: Kind,
        source: String?,
        destination: String?,
        attributes: [PropertyPair] = [],
        relationships: [PropertyPair] = []
    ) {
        self.kind = kind
        self.source = source
        self.destination = destination
        self.attributes = attributes
        self.relationships = relationships
    }

    /// The source's property for a property of the destination; nil for a new one.
    package func source(of property: String) -> String? {
        (attributes + relationships).first { $0.destination == property }?.source
    }
}

/// A property of the destination and its counterpart in the source.
package struct PropertyPair: Sendable, Hashable {
    /// Nil for a new property.
    package var source: String?
    package var destination: String

    package init(source: String?, destination: String) {
        self.source = source
        self.destination = destination
    }
}

/// The reasons why no mapping can be inferred.
package struct MappingProblems: Error, Sendable, Hashable {
    /// One change that only a mapping model can describe.
    package struct Problem: Sendable, Hashable {
        package var entity: String
        package var property: String?
        package var reason: String

        package init(entity: String, property: String?, reason: String) {
            self.entity = entity
            self.property = property
            self.reason = reason
        }
    }

    /// Never empty.
    package var problems: [Problem]

    package init(problems: [Problem]) {
        self.problems = problems
    }
}
