// The texts of statements that faults and relationships run repeatedly: built once for a table or relationship and
// independent of the number of keys, so that the connection's cache of prepared statements stays small. Owned by a
// reader.
import GraphEngine
import GraphSQL

/// The texts of one store's statements.
struct StatementTexts {
    private struct Place: Hashable {
        var layout: Int
        var slot: Int
    }

    /// One side of a join table.
    private struct Side: Hashable {
        var table: String
        var column: String
    }

    /// The query for a relationship's members, and their entity if the rows do not determine it.
    struct Members {
        var text: String
        var destination: String
        /// Whether the second column is the number of each member's entity.
        ///
        /// A table of one entity needs none: an index of the relationship's column has all that is read.
        var hasEntityNumber: Bool

        fileprivate init(_ destination: String, in schema: StoreSchema, from tables: String, order: String?) {
            hasEntityNumber = schema.entities[destination]?.isInTree ?? true
            let columns = hasEntityNumber ? "t.Z_PK, t.Z_ENT" : "t.Z_PK"
            text = "SELECT \(columns) FROM \(tables) ORDER BY \(order.map { "\($0), " } ?? "")t.Z_PK"
            self.destination = destination
        }
    }

    /// By the index of the tree; empty for those that no fault has needed.
    private var oneRow: ContiguousArray<String> = []
    private var manyRows: [Int: String] = [:]
    private var rangesOfRows: [Int: String] = [:]
    private var members: [Place: Members] = [:]
    private var joins: [Side: JoinStatements] = [:]
    private var orders: [Place: OrderStatements] = [:]

    /// The query for rows by key; its parameter is one key, or many keys as a JSON text, or the first and the last key.
    mutating func rows(of tree: TreeLayout, _ keys: KeyList, _ make: () throws -> String) rethrows -> String {
        let cached =
            switch keys {
            case .one: tree.index < oneRow.count && !oneRow[tree.index].isEmpty ? oneRow[tree.index] : nil
            case .range: rangesOfRows[tree.index]
            case .list: manyRows[tree.index]
            }
        if let cached { return cached }
        let sql = try make()
        switch keys {
        case .one:
            while oneRow.count <= tree.index { oneRow.append("") }
            oneRow[tree.index] = sql
        case .range: rangesOfRows[tree.index] = sql
        case .list: manyRows[tree.index] = sql
        }
        return sql
    }

    /// The statements that write a join table, seen from one side.
    mutating func statements(of join: ManyToMany) -> JoinStatements {
        let side = Side(table: join.joinTable, column: join.ownColumn)
        if let cached = joins[side] { return cached }
        let statements = JoinStatements(join)
        joins[side] = statements
        return statements
    }

    /// The statements that write the order of a relationship; nil if it is not ordered.
    mutating func order(of layout: EntityLayout, slot: Int, in schema: StoreSchema) -> OrderStatements? {
        let place = Place(layout: layout.index, slot: slot)
        if let cached = orders[place] { return cached }
        let statements: OrderStatements? =
            switch schema.entities[layout.name]?.properties[layout.properties[slot].name] {
            case .manyToMany(let join): OrderStatements(join)
            case .toManyInverse(let inverse): OrderStatements(inverse)
            default: nil
            }
        orders[place] = statements
        return statements
    }

    /// The query for the members of a to-many relationship, in their order; its parameter is the owner's key.
    ///
    /// Nil if the schema has no such relationship.
    mutating func members(of layout: EntityLayout, slot: Int, in schema: StoreSchema) -> Members? {
        let place = Place(layout: layout.index, slot: slot)
        if let cached = members[place] { return cached }
        let statements = Self.members(
            schema.entities[layout.name]?.properties[layout.properties[slot].name],
            in: schema
        )
        members[place] = statements
        return statements
    }

    private static func members(_ property: PropertySchema?, in schema: StoreSchema) -> Members? {
        switch property {
        case .toManyInverse(let inverse):
            Members(
                inverse.destination,
                in: schema,
                from: "\(inverse.destinationTable.sqliteName) t WHERE t.\(inverse.column.sqliteName) = ?",
                order: inverse.orderColumn.map { "t.\($0.sqliteName)" }
            )
        case .manyToMany(let join):
            Members(
                join.destination,
                in: schema,
                from:
                    "\(join.joinTable.sqliteName) j JOIN \(join.destinationTable.sqliteName) t "
                    + "ON t.Z_PK = j.\(join.otherColumn.sqliteName) WHERE j.\(join.ownColumn.sqliteName) = ?",
                order: join.orderColumn.map { "j.\($0.sqliteName)" }
            )
        case .attribute, .toOne, nil: nil
        }
    }
}
