// The CREATE INDEX statements of a table, in Apple's order: keys, Z_ENT, then for each entity its fetch indexes and
// uniqueness constraints. Called by StoreSchema.init(model:).
import GraphModel

/// The indexes of a layout.
struct SchemaIndexes {
    let layout: SchemaLayout
    let entities: [String: EntitySchema]

    func statements(ofTree tree: Int) -> [String] {
        let table = layout.tableNames[tree]
        let places = layout.numbering.places.filter { $0.tree == tree }
        var statements = layout.keyColumns(ofTree: tree).map { "CREATE INDEX \(table)_\($0)_INDEX ON \(table) (\($0))" }
        if places.count > 1 {
            statements.append("CREATE INDEX \(table)_Z_ENT_INDEX ON \(table) (Z_ENT)")
        }
        for place in places {
            statements += fetchIndexes(of: place.entity, table: table)
            statements += uniquenessIndexes(of: place.entity, table: table)
        }
        return statements
    }

    /// An index with an R-tree or expression element or with a predicate is left out: it speeds queries up and says
    /// nothing about the rows.
    private func fetchIndexes(of entity: Entity, table: String) -> [String] {
        var statements: [String] = []
        for name in indexedAttributes(of: entity) {
            guard let column = column(of: name, entity: entity) else { continue }
            statements.append("CREATE INDEX Z_\(entity.name)_\(name) ON \(table) (\(column) COLLATE BINARY ASC)")
        }
        for names in entity.compoundIndexes {
            let columns = names.compactMap { column(of: $0, entity: entity) }
            guard columns.count == names.count else { continue }
            let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
            statements.append("CREATE INDEX Z_\(entity.name)_\(names.joined(separator: "_")) ON \(table) (\(list))")
        }
        for index in entity.indexes where index.partialPredicateFormat == nil {
            let columns = index.elements.compactMap { element -> String? in
                guard !element.isRTree, let name = element.propertyName,
                    let column = column(of: name, entity: entity)
                else { return nil }
                return "\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
            }
            guard !columns.isEmpty, columns.count == index.elements.count else { continue }
            let list = columns.joined(separator: ", ")
            statements.append("CREATE INDEX Z_\(entity.name)_\(index.name) ON \(table) (\(list))")
        }
        return SchemaIndexes.withoutRepeatedNames(statements)
    }

    /// Attributes marked as indexed, and those that an ascending fetch index of one element names: Xcode marks them so.
    private func indexedAttributes(of entity: Entity) -> [String] {
        entity.attributes.filter { $0.common.isIndexed || entity.marksAsIndexed(.attribute($0)) }.map(\.name).sorted()
    }

    private func uniquenessIndexes(of entity: Entity, table: String) -> [String] {
        let statements = entity.uniquenessConstraints.compactMap { names -> String? in
            let columns = names.compactMap { column(of: $0, entity: entity) }
            guard !columns.isEmpty, columns.count == names.count else { return nil }
            let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
            return "CREATE UNIQUE INDEX Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_")) ON \(table) (\(list))"
        }
        return SchemaIndexes.withoutRepeatedNames(statements)
    }

    private func column(of name: String, entity: Entity) -> String? {
        switch entities[entity.name]?.properties[name] {
        case .attribute(let column)?: column.column
        case .toOne(let column)?: column.column
        default: nil
        }
    }

    /// Two indexes of one name would make the store impossible to create; the first is kept.
    private static func withoutRepeatedNames(_ statements: [String]) -> [String] {
        var seen: Set<Substring> = []
        return statements.filter { statement in
            guard let end = statement.range(of: " ON ") else { return true }
            return seen.insert(statement[..<end.lowerBound]).inserted
        }
    }
}
