// A layout fitted to a file: stores of other frameworks and migrated ones may name a relationship's table by its other side,
// or its order otherwise. Called by the store when it opens, and by the checker; it never invents a column.

extension StoreSchema {
    /// The layout with the names that a file has for the tables of relationships.
    ///
    /// - Parameter tables: The columns of the file's tables by name, both in upper case.
    /// - Returns: The layout; where the file has nothing that would do, the names are as they were.
    package func fitted(to tables: [String: [String]]) -> StoreSchema {
        var schema = self
        for (name, entity) in entities {
            for (property, place) in entity.properties {
                guard case .manyToMany(var join) = place else { continue }
                let own = join.ownColumn.uppercased(), other = join.otherColumn.uppercased()
                var table = join.joinTable.uppercased()
                if tables[table]?.contains(own) != true || tables[table]?.contains(other) != true {
                    let candidates = tables.filter {
                        $0.key.hasPrefix("Z_") && $0.value.contains(own) && $0.value.contains(other)
                    }
                    guard candidates.count == 1, let found = candidates.first else { continue }
                    (table, join.joinTable) = (found.key, found.key)
                }
                let columns = tables[table] ?? []
                join.orderColumn = join.orderColumn.map { Self.order($0, columns) }
                join.inverseOrderColumn = join.inverseOrderColumn.map { Self.order($0, columns) }
                schema.entities[name]?.properties[property] = .manyToMany(join)
            }
        }
        return schema
    }

    /// The name that a table has for a column of orders.
    private static func order(_ name: String, _ columns: [String]) -> String {
        if columns.contains(name.uppercased()) { return name }
        let candidates = [name.replacing("Z_FOK_", with: "FOK_"), "Z_" + name]
        return candidates.first { columns.contains($0.uppercased()) } ?? name
    }

    /// What a file lacks of the layout: sentences that name tables and columns.
    ///
    /// - Parameter tables: As for `fitted(to:)`.
    /// - Returns: One sentence for each table or column.
    package func missing(in tables: [String: [String]]) -> [(table: String, reason: String)] {
        var result: [(String, String)] = []
        func look(_ table: String, _ columns: [String], _ subject: String) {
            guard let there = tables[table.uppercased()] else {
                return result.append((table, "\(subject): the table \(table) is missing."))
            }
            for column in columns where !there.contains(column.uppercased()) {
                result.append((table, "\(subject): the table \(table) has no column \(column)."))
            }
        }
        for table in self.tables {
            look(table.name, ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name), table.rootEntity)
        }
        var seen: Set<String> = []
        for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
            for (property, place) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard case .manyToMany(let join) = place, seen.insert(join.joinTable).inserted else { continue }
                let columns = [join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn]
                look(join.joinTable, columns.compactMap(\.self), "\(name).\(property)")
            }
        }
        return result
    }
}
