// The CREATE INDEX statements of a table, in Apple's order: keys, Z_ENT, then for each entity its fetch indexes and
// uniqueness constraints. Called by StoreSchema.init(model:).
import GraphModel

/// The indexes of a layout.
struct SchemaIndexes {
    let layout: SchemaLayout
    let entities: [String: EntitySchema]

    private var dialect: any SQLDialect { layout.dialect }

    func statements(ofTree tree: Int) -> [String] {
        let table = layout.tableNames[tree]
        let places = layout.numbering.places.filter { $0.tree == tree }
        var statements = layout.keyColumns(ofTree: tree).map { keyIndex(table, $0) }
        if places.count > 1, let column = layout.ownColumns[tree].entityNumber {
            statements.append(keyIndex(table, column))
        }
        for place in places {
            statements += fetchIndexes(of: place.entity, table: table)
            statements += uniquenessIndexes(of: place.entity, table: table)
        }
        return statements
    }

    private func keyIndex(_ table: String, _ column: String) -> String {
        index(dialect.naming.keyIndex(table: table, column: column), on: table, dialect.identifier(column))
    }

    private func index(_ name: String, on table: String, isUnique: Bool = false, _ columns: String) -> String {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(dialect.identifier(name)) ON \(dialect.table(table)) (\(columns))"
    }

    /// Ascending columns of an index on values.
    private func ascending(_ columns: [String]) -> String {
        columns.map { dialect.indexed($0, isAscending: true) }.joined(separator: ", ")
    }

    /// An index with an R-tree or expression element or with a predicate is left out: it speeds queries up and says
    /// nothing about the rows.
    private func fetchIndexes(of entity: Entity, table: String) -> [String] {
        var statements: [String] = []
        for name in indexedAttributes(of: entity) {
            guard let column = column(of: name, entity: entity) else { continue }
            statements.append(
                index(dialect.naming.fetchIndex(entity: entity.name, name: name), on: table, ascending([column]))
            )
        }
        for names in entity.compoundIndexes {
            let columns = names.compactMap { column(of: $0, entity: entity) }
            guard columns.count == names.count else { continue }
            let name = dialect.naming.fetchIndex(entity: entity.name, name: names.joined(separator: "_"))
            statements.append(index(name, on: table, ascending(columns)))
        }
        for fetchIndex in entity.indexes where fetchIndex.partialPredicateFormat == nil {
            let columns = fetchIndex.elements.compactMap { element -> String? in
                guard !element.isRTree, let name = element.propertyName,
                    let column = column(of: name, entity: entity)
                else { return nil }
                return dialect.indexed(column, isAscending: element.isAscending)
            }
            guard !columns.isEmpty, columns.count == fetchIndex.elements.count else { continue }
            let name = dialect.naming.fetchIndex(entity: entity.name, name: fetchIndex.name)
            statements.append(index(name, on: table, columns.joined(separator: ", ")))
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
            let name = dialect.naming.uniqueIndex(entity: entity.name, names: names)
            return index(name, on: table, isUnique: true, ascending(columns))
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
        var seen: Set<String> = []
        return statements.filter { statement in
            guard let end = statement.range(of: " ON ") else { return true }
            return seen.insert(String(statement[..<end.lowerBound])).inserted
        }
    }
}
