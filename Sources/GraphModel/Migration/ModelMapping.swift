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
