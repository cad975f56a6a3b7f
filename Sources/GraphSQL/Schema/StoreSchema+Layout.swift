// The way from a model to its tables. Called by the store when it opens, and by tests that compare with Apple's files.
import GraphModel

extension StoreSchema {
    /// Lays a model out in Apple's layout, in O(n log n) of its properties.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - numbers: The entities' numbers in a file, by name, if they may not be those of Apple's order.
    ///   - dialect: The spelling of types and statements.
    package init(model: Model, numbers: [String: Int64] = [:], dialect: any SQLDialect) {
        let layout = SchemaLayout(model, numbers: numbers, dialect: dialect)
        let places = layout.numbering.places
        var entities: [String: EntitySchema] = [:]
        for (index, place) in places.enumerated() {
            var properties = layout.declared[index]
            if let above = place.parent, let parent = entities[places[above].entity.name] {
                // The declaration above wins, as the column there is the one all rows share.
                properties.merge(parent.properties) { _, inherited in inherited }
            }
            entities[place.entity.name] = EntitySchema(
                name: place.entity.name,
                number: place.number,
                superNumber: place.superNumber,
                table: place.tree,
                tableName: layout.tableNames[place.tree],
                own: layout.ownColumns[place.tree],
                rootName: place.rootName,
                familyNumbers: place.family,
                isInTree: (layout.numbering[place.rootName]?.family.count ?? 1) > 1,
                properties: properties
            )
        }
        let roots = places.filter { $0.parent == nil }
        let indexes = IndexStatements(
            SchemaIndexes(layout: layout, entities: entities),
            trees: roots.map(\.tree)
        )
        let tables = roots.map { root in
            TableSchema(
                name: layout.tableNames[root.tree],
                rootEntity: root.rootName,
                own: layout.ownColumns[root.tree],
                columns: layout.columns(ofTree: root.tree),
                tree: root.tree,
                indexes: indexes
            )
        }
        self.init(
            entities: entities,
            entityOrder: places.map(\.entity.name),
            tables: tables,
            joinTables: layout.joinTables,
            dialect: dialect
        )
        triggers = dialect.derivationTriggers(model, self)
    }
}
