// The CREATE INDEX statements of a table, in Apple's order: keys, Z_ENT, then for each entity its fetch indexes and
// uniqueness constraints. Called by StoreSchema.init(model:).
import GraphModel

/// The indexes of a layout.
struct SchemaIndexes {
    let layout: SchemaLayout
    let entities: [String: EntitySchema]

    private var dialect: any SQLDialect { layout.dialect }

    private struct Index {
        let name: String
        let isUnique: Bool
        let statement: String
    }

    /// The statements by tree.
    ///
    /// Two indexes of one name would make the store impossible to create: the first is kept, and one that guards a
    /// uniqueness constraint before one that only speeds queries up.
    func statements(ofTrees trees: [Int]) -> [Int: [String]] {
        let indexes = trees.map { (tree: $0, indexes: self.indexes(ofTree: $0)) }
        let uniqueNames = Set(indexes.flatMap { $0.indexes }.filter(\.isUnique).map { comparable($0.name) })
        var seen: Set<String> = []
        var result: [Int: [String]] = [:]
        for (tree, indexes) in indexes {
            for index in indexes {
                let name = comparable(index.name)
                guard index.isUnique || !uniqueNames.contains(name), seen.insert(name).inserted else { continue }
                result[tree, default: []].append(index.statement)
            }
        }
        return result
    }

    /// A name as the database compares it: SQLite overlooks the case, also of quoted names.
    private func comparable(_ name: String) -> String { dialect.hasStaticTypes ? name : name.lowercased() }

    private func indexes(ofTree tree: Int) -> [Index] {
        let table = layout.tableNames[tree]
        let places = layout.numbering.places.filter { $0.tree == tree }
        var indexes = layout.keyColumns(ofTree: tree).map { keyIndex(table, $0) }
        if places.count > 1, let column = layout.ownColumns[tree].entityNumber {
            indexes.append(keyIndex(table, column))
        }
        for place in places {
            indexes += fetchIndexes(of: place.entity, table: table)
            indexes += uniquenessIndexes(of: place.entity, table: table)
        }
        return indexes
    }

    private func keyIndex(_ table: String, _ column: String) -> Index {
        index(dialect.naming.keyIndex(table: table, column: column), on: table, dialect.identifier(column))
    }

    private func index(_ name: String, on table: String, isUnique: Bool = false, _ columns: String) -> Index {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        let statement = "CREATE \(kind) \(dialect.identifier(name)) ON \(dialect.table(table)) (\(columns))"
        return Index(name: name, isUnique: isUnique, statement: statement)
    }

    /// Ascending columns of an index on values.
    private func ascending(_ columns: [String]) -> String {
        columns.map { dialect.indexed($0, isAscending: true) }.joined(separator: ", ")
    }

    /// An index with an R-tree or expression element or with a predicate is left out: it speeds queries up and says
    /// nothing about the rows.
    private func fetchIndexes(of entity: Entity, table: String) -> [Index] {
        var indexes: [Index] = []
        for name in indexedAttributes(of: entity) {
            guard let column = column(of: name, entity: entity) else { continue }
            indexes.append(
                index(dialect.naming.fetchIndex(entity: entity.name, name: name), on: table, ascending([column]))
            )
        }
        for names in entity.compoundIndexes {
            let columns = names.compactMap { column(of: $0, entity: entity) }
            guard columns.count == names.count else { continue }
            let name = dialect.naming.fetchIndex(entity: entity.name, name: names.joined(separator: "_"))
            indexes.append(index(name, on: table, ascending(columns)))
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
            indexes.append(index(name, on: table, columns.joined(separator: ", ")))
        }
        return indexes
    }

    /// Attributes marked as indexed, and those that an ascending fetch index of one element names: Xcode marks them so.
    private func indexedAttributes(of entity: Entity) -> [String] {
        entity.attributes.filter { $0.common.isIndexed || entity.marksAsIndexed(.attribute($0)) }.map(\.name).sorted()
    }

    private func uniquenessIndexes(of entity: Entity, table: String) -> [Index] {
        entity.uniquenessConstraints.compactMap { names -> Index? in
            let columns = names.compactMap { column(of: $0, entity: entity) }
            guard !columns.isEmpty, columns.count == names.count else { return nil }
            let name = dialect.naming.uniqueIndex(entity: entity.name, names: names)
            return index(name, on: table, isUnique: true, ascending(columns))
        }
    }

    private func column(of name: String, entity: Entity) -> String? {
        switch entities[entity.name]?.properties[name] {
        case .attribute(let column)?: column.column
        case .toOne(let column)?: column.column
        default: nil
        }
    }
}
