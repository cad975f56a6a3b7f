// What becomes of entities and properties over several steps. Used by MigrationRehearsal.
import GraphModel

extension MigrationRoute {
    /// What becomes of entities and properties over all steps; nil where a step makes new objects.
    func composed(from source: MigrationVersion) -> ModelMapping? {
        if hops.isEmpty { return try? MappingInference.infer(from: source.model, to: source.model) }
        var result: ModelMapping?
        for hop in hops {
            guard case .inferred(let mapping) = hop.means else { return nil }
            result = result.map { $0.followed(by: mapping) } ?? mapping
        }
        return result
    }
}

extension ModelMapping {
    /// The mapping over two steps.
    fileprivate func followed(by next: ModelMapping) -> ModelMapping {
        var entities: [EntityPair] = []
        for pair in self.entities where pair.source != nil {
            let further = pair.destination.flatMap { name in next.entities.first { $0.source == name } }
            guard let further, further.destination != nil else {
                entities.append(EntityPair(kind: .remove, source: pair.source, destination: nil))
                continue
            }
            func over(_ pairs: [PropertyPair], _ earlier: [PropertyPair]) -> [PropertyPair] {
                pairs.map { item in
                    PropertyPair(
                        source: item.source.flatMap { name in earlier.first { $0.destination == name }?.source },
                        destination: item.destination
                    )
                }
            }
            entities.append(
                EntityPair(
                    kind: pair.kind == .copy && further.kind == .copy ? .copy : .transform,
                    source: pair.source,
                    destination: further.destination,
                    attributes: over(further.attributes, pair.attributes),
                    relationships: over(further.relationships, pair.relationships)
                )
            )
        }
        // New in either step: nothing of the store becomes these.
        let known = Set(entities.compactMap(\.destination))
        for pair in next.entities {
            guard let name = pair.destination, !known.contains(name) else { continue }
            entities.append(EntityPair(kind: .add, source: nil, destination: name))
        }
        return ModelMapping(entities: entities)
    }
}
