// The rows that a batch deletion reaches by the delete rule `cascade`. Called by engines that apply delete rules themselves.
import GraphModel

extension ModelLayout {
    /// Some rows and all rows that their delete rules delete too, by entity.
    ///
    /// - Parameters:
    ///   - keys: The rows to delete.
    ///   - destinations: Reads the destinations of a relationship of some rows of an entity.
    /// - Returns: The keys by entity, in the order of the model.
    /// - Throws: The errors of `destinations`.
    package func cascade(
        _ keys: [ObjectKey],
        destinations: (_ layout: EntityLayout, _ slot: Int, _ keys: [Int64]) throws -> [ObjectKey]
    ) rethrows -> [(EntityLayout, [Int64])] {
        var groups = Self.byEntity(keys)
        let isAlone = groups.keys.allSatisfy { entity in
            entities[Int(entity)].properties.allSatisfy { $0.deleteRule != .cascade }
        }
        if !isAlone {
            var seen = Set(keys)
            var reached = groups
            while !reached.isEmpty {
                var next: [ObjectKey] = []
                for (entity, keys) in reached.sorted(by: { $0.key < $1.key }) {
                    let layout = entities[Int(entity)]
                    for slot in layout.properties.indices where layout.properties[slot].deleteRule == .cascade {
                        next += try destinations(layout, slot, keys)
                    }
                }
                reached = Self.byEntity(next.filter { seen.insert($0).inserted })
                for (entity, keys) in reached { groups[entity, default: []] += keys }
            }
        }
        return groups.sorted { $0.key < $1.key }.map { (entities[Int($0.key)], $0.value) }
    }

    /// The different keys of each entity.
    ///
    /// Those of one fetch have one entity and are in order: they are only copied.
    private static func byEntity(_ keys: [ObjectKey]) -> [Int32: [Int64]] {
        var groups: [Int32: [Int64]] = [:]
        var rest = keys[...]
        while let first = rest.first {
            let run = rest.prefix { $0.entity == first.entity }
            groups[first.entity, default: []] += run.lazy.map(\.primaryKey)
            rest = rest.dropFirst(run.count)
        }
        return groups.mapValues { keys in
            if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return keys }
            var different: [Int64] = []
            for key in keys.sorted() where key != different.last { different.append(key) }
            return different
        }
    }
}
