// A layout fitted to a file: stores of other frameworks and migrated ones may name a relationship's table by its other
// side, number its columns otherwise, or lack relationships that lead out of a configuration. Called by the store when
// it opens, and by the checker; it never invents a column.

extension StoreSchema {
    /// The layout with the names that a file has for the tables of relationships.
    ///
    /// - Parameter tables: The columns of the file's tables by name, both in upper case.
    /// - Returns: The layout; if the file has no suitable ones, the names are as they were.
    package func fitted(to tables: [String: [String]]) -> StoreSchema {
        var schema = self
        schema.leaveOutForeignKeys(missingIn: tables)
        var usedTables: Set<String> = []
        var unknown: [String: ManyToMany] = [:]
        var joinNames: [String: JoinNames] = [:]
        for case .manyToMany(let join) in entities.values.flatMap(\.properties.values) {
            let ownColumn = join.ownColumn.uppercased(), otherColumn = join.otherColumn.uppercased()
            let has = { (columns: [String]) in columns.contains(ownColumn) && columns.contains(otherColumn) }
            if tables[join.joinTable.uppercased()].map(has) == true {
                usedTables.insert(join.joinTable.uppercased())
                joinNames[join.joinTable] = JoinNames(table: join.joinTable)
                continue
            }
            let candidates = tables.filter { $0.key.hasPrefix("Z_") && has($0.value) }
            if candidates.count == 1, let table = candidates.first?.key {
                usedTables.insert(table)
                joinNames[join.joinTable] = JoinNames(table: table)
            } else {
                unknown[join.joinTable] = join
            }
        }
        joinNames.merge(Self.numberedOtherwise(unknown, tables.filter { !usedTables.contains($0.key) })) { first, _ in
            first
        }
        for (name, entity) in entities {
            for (property, place) in entity.properties {
                guard case .manyToMany(var join) = place, let names = joinNames[join.joinTable] else { continue }
                let columns = tables[names.table.uppercased()] ?? []
                join.joinTable = names.table
                join.ownColumn = names.columns[join.ownColumn] ?? join.ownColumn
                join.otherColumn = names.columns[join.otherColumn] ?? join.otherColumn
                join.orderColumn = join.orderColumn.map { Self.order($0, names, columns) }
                join.inverseOrderColumn = join.inverseOrderColumn.map { Self.order($0, names, columns) }
                schema.entities[name]?.properties[property] = .manyToMany(join)
            }
        }
        return schema
    }

    /// The names of a relationship's table and columns in a file.
    private struct JoinNames {
        var table: String
        /// The file's key columns by the layout's, if they differ.
        var columns: [String: String] = [:]
    }

    /// Finds tables whose key columns differ from the layout's only in the number after a repeated name.
    ///
    /// Other versions of the rule count repetitions otherwise. Each table must fit one relationship, and each
    /// relationship one table.
    private static func numberedOtherwise(_ joins: [String: ManyToMany], _ tables: [String: [String]])
        -> [String: JoinNames]
    {
        var fits: [(join: String, names: JoinNames)] = []
        for (name, join) in joins where !join.isReflexive {
            let (ownBase, otherBase) = (base(join.ownColumn), base(join.otherColumn))
            for (table, columns) in tables where table.hasPrefix("Z_") {
                let owns = columns.filter { base($0) == ownBase }, others = columns.filter { base($0) == otherBase }
                guard ownBase != otherBase, owns.count == 1, others.count == 1 else { continue }
                let renamed = [join.ownColumn: owns[0], join.otherColumn: others[0]]
                fits.append((name, JoinNames(table: table, columns: renamed)))
            }
        }
        var result: [String: JoinNames] = [:]
        for fit in fits
        where fits.filter({ $0.join == fit.join }).count == 1
            && fits.filter({ $0.names.table == fit.names.table }).count == 1
        {
            result[fit.join] = fit.names
        }
        return result
    }

    /// A column's name without the number that distinguishes it from another of that name.
    private static func base(_ column: String) -> String {
        let name = column.uppercased()
        return String(name.dropLast(name.reversed().prefix { $0.isASCII && $0.isNumber }.count))
    }

    /// The name that a table has for a column of orders.
    private static func order(_ layoutName: String, _ names: JoinNames, _ columns: [String]) -> String {
        let renamed = names.columns.first { layoutName == "Z_FOK_\($0.key.dropFirst(2))" }
        let name = renamed.map { "Z_FOK_\($0.value.dropFirst(2))" } ?? layoutName
        if columns.contains(name.uppercased()) { return name }
        let candidates = [name.replacing("Z_FOK_", with: "FOK_"), "Z_" + name]
        return candidates.first { columns.contains($0.uppercased()) } ?? name
    }

    /// Removes to-one relationships to entities that are not in this layout if the file has no column for them: no
    /// row of this store can have a destination.
    private mutating func leaveOutForeignKeys(missingIn tables: [String: [String]]) {
        for (name, entity) in entities {
            let columns = tables[entity.tableName.uppercased()] ?? []
            for (property, place) in entity.properties {
                guard case .toOne(let toOne) = place, entities[toOne.destination] == nil,
                    !columns.contains(toOne.column.uppercased())
                else { continue }
                entities[name]?.properties[property] = nil
                self.tables[entity.table].columns.removeAll { $0.name == toOne.column }
            }
        }
    }

    /// The parts of the layout that a file lacks: sentences that name tables and columns.
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
