// An entity of the old version and its counterpart in the new one.

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
