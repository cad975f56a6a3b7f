// Verifies that the relationships of a new store refer to existing rows and that all relationships set are there.
// Called before a store that was built object by object replaces the old one.
import GraphSQL

/// A verification of a store's relationships.
package struct ReferenceVerification {
    /// A relationship of the objects of one entity.
    package struct Place: Hashable, Sendable {
        package var entity: String
        package var property: String

        package init(entity: String, property: String) {
            self.entity = entity
            self.property = property
        }
    }

    private let schema: StoreSchema

    /// Creates a verification for a store with these tables.
    package init(schema: StoreSchema) { self.schema = schema }

    /// Verifies all relationships; O(rows).
    ///
    /// - Parameters:
    ///   - connection: The store.
    ///   - counts: The minimum number of related pairs for each relationship.
    /// - Throws: `MigrationFailure` with the entity and the relationship, `SQLiteError`.
    package func run(_ connection: Connection, atLeast counts: [Place: Int]) throws {
        for entity in schema.entityOrder.compactMap({ schema.entities[$0] }) {
            for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
                guard let (pairs, table) = pairs(entity, property) else { continue }
                let place = Place(entity: entity.name, property: name)
                let lost = try count(
                    "SELECT COUNT(*) FROM (\(pairs)) WHERE M NOT IN (SELECT Z_PK FROM \(table.sqliteName))",
                    connection
                )
                if lost > 0 {
                    throw MigrationFailure(
                        .content,
                        entity: entity.name,
                        property: name,
                        reason: "\(lost) objects would lead to objects that are not there"
                    )
                }
                guard let expected = counts[place], expected > 0 else { continue }
                let actual = try count("SELECT COUNT(*) FROM (\(pairs))", connection)
                if actual < expected {
                    throw MigrationFailure(
                        .content,
                        entity: entity.name,
                        property: name,
                        reason: "\(expected) related objects were set and \(actual) are in the new store"
                    )
                }
            }
        }
    }

    private func count(_ sql: String, _ connection: Connection) throws -> Int64 {
        guard case .integer(let count)? = try connection.rows(sql).first?.first else { return 0 }
        return count
    }

    /// A query for the related keys `M` of one entity's objects, and the table that must contain them.
    private func pairs(_ entity: EntitySchema, _ property: PropertySchema) -> (String, String)? {
        let owners = "SELECT Z_PK FROM \(entity.tableName.sqliteName) WHERE Z_ENT = \(entity.number)"
        switch property {
        case .attribute: return nil
        case .toOne(let toOne):
            guard let table = schema.entities[toOne.destination]?.tableName else { return nil }
            let column = toOne.column.sqliteName
            return (
                "SELECT \(column) AS M FROM \(entity.tableName.sqliteName) WHERE \(column) NOT NULL AND Z_ENT = "
                    + "\(entity.number)", table
            )
        case .toManyInverse(let toMany):
            let (table, owner) = (toMany.destinationTable, toMany.column.sqliteName)
            return ("SELECT Z_PK AS M FROM \(table.sqliteName) WHERE \(owner) IN (\(owners))", table)
        case .manyToMany(let join):
            let (own, other) = (join.ownColumn.sqliteName, join.otherColumn.sqliteName)
            return (
                "SELECT \(other) AS M FROM \(join.joinTable.sqliteName) WHERE \(own) IN (\(owners))",
                join.destinationTable
            )
        }
    }
}
