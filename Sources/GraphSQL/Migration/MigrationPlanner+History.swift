// The changes of a migration in the history of a store: the numbers of entities and of properties there are those of
// the model. Rows of entities that are gone would be taken for another's.
import GraphEngine
import GraphModel

extension MigrationPlanner {
    mutating func writeHistory() {
        plan.removedNumbers = old.entityOrder.filter { mapping.destination(of: $0) == nil }
            .compactMap { old.entities[$0]?.number }
        for pair in pairs {
            let (before, after) = (Self.names(oldModel, pair.old.name), Self.names(newModel, pair.new.name))
            var became: [String: String] = [:]
            for item in pair.pair.attributes + pair.pair.relationships {
                guard let source = item.source else { continue }
                became[Self.whole(source)] = Self.whole(item.destination)
            }
            func numbers(_ old: [String], _ new: [String]) -> [Int: Int]? {
                let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
                var result: [Int: Int] = [:]
                for (number, name) in old.enumerated() { result[number] = became[name].flatMap { places[$0] } }
                let isSame = old.indices.allSatisfy { result[$0] == $0 }
                return isSame ? nil : result
            }
            let change = MigrationPlan.HistoryChange(
                number: pair.old.number,
                properties: numbers(before.properties, after.properties),
                tombstones: numbers(before.preserved, after.preserved)
            )
            if change.properties != nil || change.tombstones != nil { plan.history.append(change) }
        }
    }

    private static func whole(_ path: String) -> String { String(path.prefix { $0 != "." }) }

    /// The names of the properties for the bits of changed columns, and of the attributes whose values are kept, in
    /// their order.
    private static func names(_ model: Model, _ entity: String) -> (properties: [String], preserved: [String]) {
        var (attributes, relationships, preserved): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for property in model.allProperties(ofEntityNamed: entity) where !property.common.isTransient {
            switch property {
            case .attribute(let attribute):
                attributes.insert(attribute.name)
                if attribute.preservesValueInHistoryOnDeletion { preserved.insert(attribute.name) }
            case .relationship(let relationship): relationships.insert(relationship.name)
            case .fetched: continue
            }
        }
        return (attributes.sorted() + relationships.sorted(), preserved.sorted())
    }
}
