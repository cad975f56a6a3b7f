// Steps of a check: the destination rows of relationships exist, both sides of a relationship agree, and ordered
// relationships have an order.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    func checkRelationships() throws {
        var seenJoins: Set<String> = []
        for entity in entities where readable.contains(entity.name) {
            guard let place = schema.entities[entity.name] else { continue }
            for case .relationship(let relationship) in properties(of: entity) {
                switch place.properties[relationship.name] {
                case .toOne(let toOne)?: try check(toOne, relationship.name, place)
                case .toManyInverse(let inverse)?: try check(inverse, relationship.name, place)
                case .manyToMany(let join)? where seenJoins.insert("\(join.joinTable).\(join.ownColumn)").inserted:
                    try check(join, relationship.name, place)
                default: break
                }
            }
        }
    }

    private func check(_ toOne: ToOneColumn, _ name: String, _ entity: EntitySchema) throws {
        guard let destination = schema.entities[toOne.destination] else { return }
        let (table, column) = (entity.tableName.sqliteName, toOne.column.sqliteName)
        let ownRows = "t.Z_ENT = \(entity.number)"
        let numbers = destination.familyNumbers.map(String.init).joined(separator: ", ")
        try findRows(
            "SELECT t.Z_PK, t.\(column) FROM \(table) t WHERE \(ownRows) AND t.\(column) NOT NULL AND NOT EXISTS (SELECT 1 "
                + "FROM \(destination.tableName.sqliteName) d WHERE d.Z_PK = t.\(column) AND d.Z_ENT IN (\(numbers)))",
            entity.name,
            name,
            kind: "missing destinations",
            // Without an inverse, deleting the destination does not update the source: Core Data itself leaves such
            // keys.
            isNote: toOne.inverse == nil
        ) { "it leads to the row \($0[1].printed) of \(toOne.destination), which is not there." }
        if let number = toOne.entityColumn {
            try findRows(
                "SELECT t.Z_PK, t.\(number.sqliteName), d.Z_ENT FROM \(table) t JOIN \(destination.tableName.sqliteName) d "
                    + "ON d.Z_PK = t.\(column) WHERE \(ownRows) AND t.\(number.sqliteName) IS NOT d.Z_ENT",
                entity.name,
                name,
                kind: "entity numbers of destinations"
            ) { "\(number) is \($0[1].printed), but the destination is of the entity number \($0[2].printed)." }
        }
        // If two columns point at each other, either may be wrong; a to-many side has no column of its own. An inverse that
        // names another relationship leads elsewhere.
        if let inverse = toOne.inverse, case .toOne(let back)? = destination.properties[inverse], back.inverse == name {
            let backColumn = back.column.sqliteName
            try findRows(
                "SELECT t.Z_PK, t.\(column), d.\(backColumn) FROM \(table) t JOIN \(destination.tableName.sqliteName) d "
                    + "ON d.Z_PK = t.\(column) WHERE \(ownRows) AND d.\(backColumn) IS NOT t.Z_PK",
                entity.name,
                name,
                kind: "inverses"
            ) {
                "it leads to the row \($0[1].printed) of \(toOne.destination), whose \(inverse) leads to "
                    + "\($0[2].printed)."
            }
        }
        if let order = toOne.orderColumn {
            try checkOrder(
                order,
                owner: toOne.column,
                table: entity.tableName,
                condition: "Z_ENT = \(entity.number)",
                entity.name,
                name
            )
        }
    }

    private func check(_ inverse: ToManyInverse, _ name: String, _ entity: EntitySchema) throws {
        // If there is an inverse, the column belongs to it and is checked there.
        guard inverse.inverse.isEmpty else { return }
        let owner = inverse.column.sqliteName
        try findRows(
            "SELECT d.Z_PK, d.\(owner) FROM \(inverse.destinationTable.sqliteName) d WHERE d.\(owner) NOT NULL AND NOT "
                + "EXISTS (SELECT 1 FROM \(entity.tableName.sqliteName) t WHERE t.Z_PK = d.\(owner))",
            inverse.destination,
            inverse.column,
            kind: "missing owners"
        ) { "it belongs to \(name) of the row \($0[1].printed) of \(entity.name), which is not there." }
        if let order = inverse.orderColumn {
            try checkOrder(
                order,
                owner: inverse.column,
                table: inverse.destinationTable,
                condition: "1",
                entity.name,
                name
            )
        }
    }

    private func check(_ join: ManyToMany, _ name: String, _ entity: EntitySchema) throws {
        let (ownColumn, otherColumn) = (join.ownColumn.sqliteName, join.otherColumn.sqliteName)
        let joinTable = join.joinTable.sqliteName
        for (column, table, target) in [
            (ownColumn, entity.tableName, entity.name), (otherColumn, join.destinationTable, join.destination),
        ] {
            try findRows(
                "SELECT j.\(ownColumn), j.\(otherColumn), j.\(column) FROM \(joinTable) j WHERE NOT EXISTS "
                    + "(SELECT 1 FROM \(table.sqliteName) t WHERE t.Z_PK = j.\(column))",
                entity.name,
                name,
                kind: "pairs of \(join.joinTable)"
            ) {
                "\(join.joinTable) has the pair \($0[0].printed), \($0[1].printed), but \(target) has no row "
                    + "\($0[2].printed)."
            }
        }
        if join.isReflexive {
            try findRows(
                "SELECT j.\(ownColumn), j.\(otherColumn) FROM \(joinTable) j WHERE NOT EXISTS (SELECT 1 FROM "
                    + "\(joinTable) k WHERE k.\(ownColumn) = j.\(otherColumn) AND k.\(otherColumn) = j.\(ownColumn))",
                entity.name,
                name,
                kind: "inverses"
            ) { "\(join.joinTable) has the pair \($0[0].printed), \($0[1].printed), but not its opposite." }
        }
        if let order = join.orderColumn {
            try checkOrder(order, owner: join.ownColumn, table: join.joinTable, condition: "1", entity.name, name)
        }
    }

    /// Checks that the members of one owner have order values, each a different one.
    private func checkOrder(
        _ order: String,
        owner: String,
        table: String,
        condition: String,
        _ entity: String,
        _ property: String
    ) throws {
        let place = "\(entity).\(property)"
        let (owner, number, table) = (owner.sqliteName, order.sqliteName, table.sqliteName)
        try eachRow(
            "SELECT \(owner), count(*) FROM \(table) WHERE \(condition) AND \(owner) NOT NULL AND \(number) IS NULL "
                + "GROUP BY \(owner)"
        ) { row in
            problems.add(
                "\(place): \(row[1].printed) members of the row \(row[0].printed) have no place in the order "
                    + "(\(order)).",
                kind: "\(place): no order"
            )
        }
        try eachRow(
            "SELECT \(owner), \(number), count(*) FROM \(table) WHERE \(condition) AND \(owner) NOT NULL AND \(number) "
                + "NOT NULL GROUP BY \(owner), \(number) HAVING count(*) > 1"
        ) { row in
            problems.add(
                "\(place): \(row[2].printed) members of the row \(row[0].printed) have the same place "
                    + "\(row[1].printed) in the order (\(order)).",
                kind: "\(place): order"
            )
        }
    }
}
