// The objects of the destination that were made from objects of the source, for one entity mapping: keys only, so that
// no object stays in memory for it. Held by NSMigrationManager.

/// The objects of one entity mapping.
package struct MigrationAssociations {
    /// Each once, in the order of their first association.
    private(set) var sources: [MigrationKey] = []
    private(set) var destinations: [MigrationKey] = []
    private var bySource = Counterparts()
    private var byDestination = Counterparts()
    /// The places of destinations that were never saved.
    private var temporary: [MigrationKey: Int] = [:]

    mutating func add(_ source: MigrationKey, _ destination: MigrationKey) {
        if bySource[source].isEmpty { sources.append(source) }
        if byDestination[destination].isEmpty {
            if destination.isTemporary { temporary[destination] = destinations.count }
            destinations.append(destination)
        }
        bySource.add(destination, to: source)
        byDestination.add(source, to: destination)
    }

    package func destinations(of source: MigrationKey) -> [MigrationKey] { bySource[source] }
    func sources(of destination: MigrationKey) -> [MigrationKey] { byDestination[destination] }

    /// Gives objects that were saved meanwhile the keys they have now.
    mutating func rename(_ keys: [MigrationKey: MigrationKey]) {
        for (old, index) in temporary {
            guard let new = keys[old] else { continue }
            destinations[index] = new
            for source in byDestination[old] { bySource.replace(old, by: new, of: source) }
            byDestination.move(old, to: new)
            temporary[old] = nil
        }
    }

    /// Keys by key; nearly always one.
    private struct Counterparts {
        private var single: [MigrationKey: MigrationKey] = [:]
        private var several: [MigrationKey: [MigrationKey]] = [:]

        subscript(key: MigrationKey) -> [MigrationKey] {
            if let counterpart = single[key] { return [counterpart] }
            return several[key] ?? []
        }

        mutating func add(_ counterpart: MigrationKey, to key: MigrationKey) {
            if several[key] != nil {
                several[key]?.append(counterpart)
            } else if let first = single.removeValue(forKey: key) {
                several[key] = [first, counterpart]
            } else {
                single[key] = counterpart
            }
        }

        mutating func replace(_ old: MigrationKey, by new: MigrationKey, of key: MigrationKey) {
            if single[key] == old { single[key] = new }
            if let list = several[key] { several[key] = list.map { $0 == old ? new : $0 } }
        }

        mutating func move(_ old: MigrationKey, to new: MigrationKey) {
            if let counterpart = single.removeValue(forKey: old) { single[new] = counterpart }
            if let list = several.removeValue(forKey: old) { several[new] = list }
        }
    }
}
