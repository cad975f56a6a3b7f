// Lays a model out in tables as Apple does: numbers, names, columns in order, join tables. Called by
// StoreSchema.init(model:) as a list of steps; the rules and their evidence are in Documentation/FileFormats.md.
import GraphModel

/// A layout in the making.
struct SchemaLayout {
    let numbering: EntityNumbering
    let dialect: any SQLDialect
    private let naming: any SchemaNaming
    /// The columns besides the properties, by tree.
    private(set) var ownColumns: [OwnColumns] = []
    var tableNames: [String] = []
    /// Column names taken, by tree.
    private var usedNames: [Set<String>] = []
    private var placed: [[PlacedColumn]] = []
    /// The properties that each entity declares itself, by entity index.
    var declared: [[String: PropertySchema]] = []
    var joinTables: [JoinTableSchema] = []
    private var joinTableNames: Set<String> = []

    private struct PlacedColumn {
        let group: ColumnGroup
        let entity: Int
        let rank: ColumnRank
        let column: ColumnSchema
    }

    init(_ model: Model, numbers: [String: Int64], dialect: any SQLDialect) {
        self.dialect = dialect
        naming = dialect.naming
        numbering = EntityNumbering(model.withLinkableInverses(), given: numbers)
        declared = Array(repeating: [:], count: numbering.places.count)
        let naming = naming
        ownColumns = numbering.places.filter { $0.parent == nil }
            .map { naming.ownColumns(of: $0.entity, isInTree: $0.family.count > 1) }
        usedNames = ownColumns.map { Set($0.names) }
        placed = Array(repeating: [], count: numbering.treeCount)
        nameTables()
        placeAttributes()
        placeToOneRelationships()
        placeManyToManyRelationships()
        placeToManyRelationships()
    }

    // MARK: Steps

    private mutating func nameTables() {
        for place in numbering.places where place.parent == nil {
            tableNames.append(SchemaLayout.free(naming.table(of: place.entity), in: Set(tableNames)))
        }
    }

    private mutating func placeAttributes() {
        for (index, place) in numbering.places.enumerated() {
            for attribute in place.entity.attributes.sorted(by: { $0.name < $1.name }) {
                placeAttribute(attribute, path: [attribute.name], entity: index)
            }
        }
    }

    /// A composite attribute has no column of its own: its elements have, as if the entity had them itself.
    private mutating func placeAttribute(_ attribute: Attribute, path: [String], entity: Int) {
        guard !attribute.common.isTransient else { return }
        guard let group = attribute.type.columnGroup else {
            if attribute.type == .composite {
                for element in attribute.elements.sorted(by: { $0.name < $1.name }) {
                    placeAttribute(element, path: path + [element.name], entity: entity)
                }
            }
            return
        }
        let column = claim(naming.column(of: attribute, path: path), entity: entity)
        place(column, .attribute(attribute.type), group: group, rank: .attribute, entity: entity)
        // Most paths are one name, and the first joining in a process searches all conformances.
        let name = path.count == 1 ? path[0] : path.joined(separator: ".")
        declared[entity][name] = .attribute(
            AttributeColumn(
                column: column,
                type: attribute.type,
                isExternal: attribute.allowsExternalBinaryDataStorage && (group == .binary || group == .transformable)
            )
        )
    }

    private mutating func placeToOneRelationships() {
        for (index, place) in numbering.places.enumerated() {
            for relationship in storedRelationships(of: place) where !relationship.isToMany {
                let column = claim(naming.column(of: relationship), entity: index)
                self.place(column, .key, group: .integer, rank: .toOne, entity: index)
                // A destination in another configuration is in another store: the column stays empty.
                let destination = numbering[relationship.destinationEntityName]
                var toOne = ToOneColumn(
                    column: column,
                    entityColumn: nil,
                    orderColumn: nil,
                    destination: relationship.destinationEntityName,
                    inverse: destination == nil ? nil : relationship.inverseName
                )
                if let destination, destination.family.count > 1 {
                    let name = claim(
                        naming.entityColumn(of: relationship, beside: column, destination: destination.number),
                        entity: index
                    )
                    self.place(name, .number, group: .integer, rank: .toOne, entity: index)
                    toOne.entityColumn = name
                }
                if let inverse = inverse(of: relationship), inverse.relationship.isToMany,
                    inverse.relationship.isOrdered
                {
                    let name = claim(naming.orderColumn(beside: column), entity: index)
                    self.place(name, .number, group: .integer, rank: .order, entity: index)
                    toOne.orderColumn = name
                }
                declared[index][relationship.name] = .toOne(toOne)
            }
        }
    }

    /// Names the join tables.
    ///
    /// Each entity by name offers its many-to-many relationships, inherited ones included, by descending name: the
    /// side that comes first owns the table. A column's name is unique in the entity that declares the relationship's
    /// destination side.
    private mutating func placeManyToManyRelationships() {
        var columns: [Int: Set<String>] = [:]
        for index in numbering.indexesByEntityName {
            for side in manyToManySides(of: index) where declared[side.index][side.relationship.name] == nil {
                guard let inverse = inverse(of: side.relationship),
                    let inverseIndex = numbering.indexByName[inverse.place.entity.name]
                else { continue }
                let isReflexive = side.index == inverseIndex && side.relationship.name == inverse.relationship.name
                // A relationship that is its own inverse has one column name; the owner's key gets a fixed one.
                let ownColumn =
                    isReflexive
                    ? naming.reflexiveColumn
                    : claimJoinColumn(inverse.relationship, entity: side.index, in: &columns)
                let otherColumn = claimJoinColumn(
                    side.relationship,
                    entity: inverseIndex,
                    besides: ownColumn,
                    in: &columns
                )
                addJoinTable(
                    owner: side,
                    inverse: (inverseIndex, inverse.relationship),
                    own: ownColumn,
                    other: otherColumn,
                    isReflexive: isReflexive
                )
            }
        }
    }

    /// Takes the name of the key column that a relationship leads to, in the entity that declares its inverse.
    private func claimJoinColumn(
        _ relationship: Relationship,
        entity: Int,
        besides otherColumn: String? = nil,
        in columns: inout [Int: Set<String>]
    ) -> String {
        let number = (numbering[relationship.destinationEntityName] ?? numbering.places[entity]).number
        var usedNames = columns[entity] ?? []
        if let otherColumn { usedNames.insert(otherColumn) }
        let name = SchemaLayout.free(naming.joinColumn(of: relationship, destination: number), in: usedNames)
        columns[entity, default: []].insert(name)
        return name
    }

    private mutating func addJoinTable(
        owner: (index: Int, relationship: Relationship),
        inverse: (index: Int, relationship: Relationship),
        own: String,
        other: String,
        isReflexive: Bool
    ) {
        let place = numbering.places[owner.index]
        let name = SchemaLayout.free(
            naming.joinTable(of: owner.relationship, owner: place.entity, number: place.number),
            in: joinTableNames.union(tableNames)
        )
        joinTableNames.insert(name)
        // Orders the owner's objects for the inverse, and the destinations for the owner.
        let inverseOrder = inverse.relationship.isOrdered ? naming.joinOrderColumn(beside: own) : nil
        let order = owner.relationship.isOrdered ? naming.joinOrderColumn(beside: other) : nil
        // Apple lists the key that the table's relationship leads to last, but for its own inverse, if it is first.
        let keys = isReflexive ? [other, own] : [own, other]
        let orders = isReflexive ? [order, inverseOrder] : [inverseOrder, order]
        let index = dialect.identifier(naming.joinIndex(table: name, column: keys[1]))
        let indexed = dialect.identifiers([keys[1], keys[0]])
        joinTables.append(
            JoinTableSchema(
                name: name,
                columns: keys.map { ColumnSchema(name: $0, declaredType: dialect.columnType(.key)) }
                    + orders.compactMap { order in
                        order.map { ColumnSchema(name: $0, declaredType: dialect.columnType(.number)) }
                    },
                primaryKey: keys,
                indexStatements: ["CREATE INDEX \(index) ON \(dialect.table(name)) (\(indexed))"],
                ownerTable: place.tree
            )
        )
        declared[owner.index][owner.relationship.name] = .manyToMany(
            ManyToMany(
                isReflexive: isReflexive,
                destination: owner.relationship.destinationEntityName,
                destinationTable: tableNames[numbering.places[inverse.index].tree],
                joinTable: name,
                ownColumn: own,
                otherColumn: other,
                orderColumn: order,
                inverseOrderColumn: inverseOrder,
                inverse: inverse.relationship.name
            )
        )
        // An inverse that names another relationship keeps the table that it has with that one.
        guard !isReflexive, declared[inverse.index][inverse.relationship.name] == nil else { return }
        declared[inverse.index][inverse.relationship.name] = .manyToMany(
            ManyToMany(
                isReflexive: false,
                destination: inverse.relationship.destinationEntityName,
                destinationTable: tableNames[place.tree],
                joinTable: name,
                ownColumn: other,
                otherColumn: own,
                orderColumn: inverseOrder,
                inverseOrderColumn: order,
                inverse: owner.relationship.name
            )
        )
    }

    private mutating func placeToManyRelationships() {
        for (index, place) in numbering.places.enumerated() {
            for relationship in storedRelationships(of: place) where relationship.isToMany {
                guard let destination = numbering[relationship.destinationEntityName],
                    let destinationIndex = numbering.indexByName[relationship.destinationEntityName]
                else { continue }
                if let inverse = inverse(of: relationship) {
                    guard !inverse.relationship.isToMany,
                        let inverseIndex = numbering.indexByName[inverse.place.entity.name],
                        case .toOne(let column)? = declared[inverseIndex][inverse.relationship.name]
                    else { continue }
                    declared[index][relationship.name] = .toManyInverse(
                        ToManyInverse(
                            destination: destination.entity.name,
                            destinationTable: tableNames[destination.tree],
                            column: column.column,
                            orderColumn: column.orderColumn,
                            inverse: inverse.relationship.name
                        )
                    )
                } else {
                    let (owner, number) = (place.entity, place.number)
                    let column = claim(
                        naming.ownerColumn(of: relationship, owner: owner, number: number),
                        entity: destinationIndex
                    )
                    self.place(column, .key, group: .integer, rank: .foreignKey, entity: destinationIndex)
                    var order: String?
                    if relationship.isOrdered {
                        let name = claim(
                            naming.ownerOrderColumn(of: relationship, owner: owner, number: number),
                            entity: destinationIndex
                        )
                        self.place(name, .number, group: .integer, rank: .order, entity: destinationIndex)
                        order = name
                    }
                    declared[index][relationship.name] = .toManyInverse(
                        ToManyInverse(
                            destination: destination.entity.name,
                            destinationTable: tableNames[destination.tree],
                            column: column,
                            orderColumn: order,
                            inverse: ""
                        )
                    )
                }
            }
        }
    }

    // MARK: Columns

    /// The columns of a tree's table in Apple's order.
    func columns(ofTree tree: Int) -> [ColumnSchema] {
        placed[tree].enumerated()
            .sorted { left, right in
                let leftKey = (left.element.group, left.element.entity, left.element.rank.rawValue, left.offset)
                let rightKey = (right.element.group, right.element.entity, right.element.rank.rawValue, right.offset)
                return leftKey < rightKey
            }
            .map(\.element.column)
    }

    /// The key columns that get an index, in the order of the table.
    func keyColumns(ofTree tree: Int) -> [String] {
        let keys = Set(
            placed[tree].filter { $0.rank == .toOne || $0.rank == .foreignKey }.map(\.column.name)
        )
        let entityColumns = Set(
            declared.flatMap(\.values).compactMap {
                if case .toOne(let column) = $0 { column.entityColumn } else { nil }
            }
        )
        return columns(ofTree: tree).map(\.name).filter { keys.contains($0) && !entityColumns.contains($0) }
    }

    private mutating func place(
        _ name: String,
        _ use: ColumnUse,
        group: ColumnGroup,
        rank: ColumnRank,
        entity: Int
    ) {
        placed[numbering.places[entity].tree].append(
            PlacedColumn(
                group: group,
                entity: entity,
                rank: rank,
                column: ColumnSchema(name: name, declaredType: dialect.columnType(use))
            )
        )
    }

    /// Takes a name in the entity's table: the first one gets it unchanged, the others with 1, 2, … appended.
    private mutating func claim(_ name: String, entity: Int) -> String {
        let tree = numbering.places[entity].tree
        let result = SchemaLayout.free(name, in: usedNames[tree])
        usedNames[tree].insert(result)
        return result
    }

    private static func free(_ name: String, in usedNames: Set<String>) -> String {
        guard usedNames.contains(name) else { return name }
        var number = 1
        while usedNames.contains("\(name)\(number)") {
            number += 1
        }
        return "\(name)\(number)"
    }
}
