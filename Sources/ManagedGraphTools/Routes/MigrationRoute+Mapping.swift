// Composes the mappings of entities and properties over several steps. Used by MigrationRehearsal.
import GraphModel
import GraphModelFiles
import ManagedGraph

extension MigrationRoute {
    /// Whether a step creates new objects.
    var makesObjects: Bool { hops.contains { $0.mappingName != nil } }

    /// The mapping of entities and properties over all steps; for a mapping model, properties with equal names are
    /// assumed to correspond.
    func composed(from source: MigrationVersion) throws -> ModelMapping {
        var result = try MappingInference.infer(from: source.model, to: source.model)
        for (number, hop) in hops.enumerated() {
            let next: ModelMapping
            switch hop.means {
            case .inferred(let mapping): next = mapping
            case .mapping(let mapping): next = mapping.file.correspondence(hop.source.model, hop.destination.model)
            }
            result = number == 0 ? next : result.followed(by: next)
        }
        return result
    }
}

extension MappingFile {
    /// The mapping model's pairs of entities, with the properties that have equal names.
    fileprivate func correspondence(_ old: Model, _ new: Model) -> ModelMapping {
        func pairs(_ source: String, _ destination: String) -> EntityPair {
            let sourceNames = old.stored(ofEntityNamed: source).map(\.0)
            let all = new.stored(ofEntityNamed: destination).map { name, _ in
                PropertyPair(source: sourceNames.contains(name) ? name : nil, destination: name)
            }
            return EntityPair(kind: .transform, source: source, destination: destination, attributes: all)
        }
        var result: [EntityPair] = []
        for mapping in entities {
            guard let source = mapping.sourceName, let destination = mapping.destinationName else { continue }
            let isKnown = result.contains { $0.source == source && $0.destination == destination }
            if !isKnown { result.append(pairs(source, destination)) }
        }
        let (left, created) = (Set(result.compactMap(\.source)), Set(result.compactMap(\.destination)))
        result += old.entities.filter { !left.contains($0.name) }.map {
            EntityPair(kind: .remove, source: $0.name, destination: nil)
        }
        result += new.entities.filter { !created.contains($0.name) }.map {
            EntityPair(kind: .add, source: nil, destination: $0.name)
        }
        return ModelMapping(entities: result)
    }
}

extension ModelMapping {
    /// Whether an entity or a stored property of the source has no destination.
    func drops(anythingOf source: Model) -> Bool {
        source.entities.contains { entity in
            let pairs = entities.filter { $0.source == entity.name && $0.destination != nil }
            guard !pairs.isEmpty else { return true }
            let mappedNames = Set(pairs.flatMap { $0.attributes + $0.relationships }.compactMap(\.source))
            return source.stored(ofEntityNamed: entity.name).contains { !mappedNames.contains($0.0) }
        }
    }

    /// The composition of this mapping and the next.
    fileprivate func followed(by next: ModelMapping) -> ModelMapping {
        func over(_ pairs: [PropertyPair], _ earlier: EntityPair) -> [PropertyPair] {
            pairs.map { item in
                PropertyPair(source: item.source.flatMap { earlier.source(of: $0) }, destination: item.destination)
            }
        }
        var result: [EntityPair] = []
        for pair in entities where pair.source != nil {
            let further = next.entities.filter { $0.source == pair.destination && $0.destination != nil }
            if pair.destination == nil || further.isEmpty {
                result.append(EntityPair(kind: .remove, source: pair.source, destination: nil))
                continue
            }
            result += further.map { step in
                EntityPair(
                    kind: pair.kind == .copy && step.kind == .copy ? .copy : .transform,
                    source: pair.source,
                    destination: step.destination,
                    attributes: over(step.attributes, pair),
                    relationships: over(step.relationships, pair)
                )
            }
        }
        // Entities added in either step have no source in the store.
        let mappedNames = Set(result.compactMap(\.destination))
        for pair in next.entities {
            guard let name = pair.destination, !mappedNames.contains(name) else { continue }
            result.append(EntityPair(kind: .add, source: nil, destination: name))
        }
        return ModelMapping(entities: result)
    }
}
