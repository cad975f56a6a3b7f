// The members of one relationship for many objects, in one statement. Called by prefetching.
import GraphEngine
import GraphSQL

extension SQLiteReader {
    package func members(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        guard let model = engine.model, let destination = layout.properties[slot].destination,
            let owned = engine.ownedMembers(layout, slot)
        else { return .empty }
        let tree = model.entities[destination].tree
        let sql = try "SELECT \(engine.plainColumns(tree, of: "t.")), \(owned.owner) \(owned.source)"
        return try read { connection in
            let statement = try connection.prepare(sql)
            try statement.bind(1, SQLiteEngine.list(owners))
            return try dated(checked(statement.fetchBatch(kinds: tree.kinds + [.integer])))
        }
    }
}

extension SQLiteEngine {
    /// The SQL that selects the members, `t`, of a to-many relationship of many owners, and the owner column.
    ///
    /// Sorted by owner, then by the relationship's order if it has one. Nil if the schema has no such relationship.
    func ownedMembers(_ layout: EntityLayout, _ slot: Int) -> (owner: String, source: String)? {
        let owner: String
        let tables: String
        let order: String?
        switch schema.entities[layout.name]?.properties[layout.properties[slot].name] {
        case .toManyInverse(let inverse):
            owner = "t.\(inverse.column.sqliteName)"
            tables = "\(inverse.destinationTable.sqliteName) t"
            order = inverse.orderColumn.map { "t.\($0.sqliteName)" }
        case .manyToMany(let join):
            owner = "j.\(join.ownColumn.sqliteName)"
            tables =
                "\(join.joinTable.sqliteName) j JOIN \(join.destinationTable.sqliteName) t "
                + "ON t.Z_PK = j.\(join.otherColumn.sqliteName)"
            order = join.orderColumn.map { "j.\($0.sqliteName)" }
        default:
            return nil
        }
        let orders = [owner, order, "t.Z_PK"].compactMap(\.self).joined(separator: ", ")
        return (owner, "FROM \(tables) WHERE \(schema.dialect.memberOfList(column: owner)) ORDER BY \(orders)")
    }

    /// The columns of a tree's whole rows, qualified by a table alias.
    func plainColumns(_ tree: TreeLayout, of alias: String = "") throws -> String {
        try columns(of: tree).map { try Self.storedName($0).map { alias + $0.sqliteName } ?? "NULL" }.joined(
            separator: ", "
        )
    }

    /// Keys as one bound value, so that one prepared statement works for any number of them.
    static func list(_ keys: [Int64]) -> String {
        // Faster than joining texts, which costs as much as reading the rows.
        String(unsafeUninitializedCapacity: 2 + keys.count * 21) { buffer in
            var end = 0
            func append(_ byte: UInt8) {
                buffer[end] = byte
                end += 1
            }
            append(UInt8(ascii: "["))
            for key in keys {
                if end > 1 { append(UInt8(ascii: ",")) }
                if key < 0 { append(UInt8(ascii: "-")) }
                let first = end
                var rest = key.magnitude
                repeat {
                    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                    rest /= 10
                } while rest > 0
                buffer[first..<end].reverse()
            }
            append(UInt8(ascii: "]"))
            return end
        }
    }

    /// The name of a whole row's column; nil if the table has none.
    static func storedName(_ column: PlanColumn) throws -> String? {
        switch column {
        case .primaryKey: return "Z_PK"
        case .version: return "Z_OPT"
        case .entityNumber: return "Z_ENT"
        case .stored(let name), .large(let name): return name
        case .absent: return nil
        default: throw SQLiteError(code: 21, message: "a row has plain columns only")
        }
    }
}
