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
        var seen: Set<ObjectKey> = []
        var groups: [Int32: [Int64]] = [:]
        var frontier = keys.filter { seen.insert($0).inserted }
        while !frontier.isEmpty {
            var next: [ObjectKey] = []
            for (entity, keys) in Dictionary(grouping: frontier, by: \.entity).sorted(by: { $0.key < $1.key }) {
                let layout = entities[Int(entity)]
                groups[entity, default: []] += keys.map(\.primaryKey)
                for slot in layout.properties.indices where layout.properties[slot].deleteRule == .cascade {
                    next += try destinations(layout, slot, keys.map(\.primaryKey))
                }
            }
            frontier = next.filter { seen.insert($0).inserted }
        }
        return groups.sorted { $0.key < $1.key }.map { (entities[Int($0.key)], $0.value) }
    }
}
