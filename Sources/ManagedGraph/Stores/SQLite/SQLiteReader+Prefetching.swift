// The members of one relationship of many objects in one statement. Called by prefetching.
import GraphSQL
import GraphSQLite

extension SQLiteReader {
    func members(layout: ObjectLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        guard let model = store.model, let destination = layout.slots[slot].destination else { return .empty }
        let tree = model.layouts[destination].tree
        let columns = try store.treeColumns[tree.index].map { try SQLiteStore.plainName($0, of: "t.") }.joined(
            separator: ", "
        )
        let text: String
        switch store.schema.entities[layout.name]?.properties[layout.slots[slot].name] {
        case .toManyInverse(let inverse):
            let order = inverse.orderColumn.map { "t.\($0), " } ?? ""
            text =
                "SELECT \(columns), t.\(inverse.column) FROM \(inverse.destinationTable) t "
                + "WHERE t.\(inverse.column) IN (SELECT value FROM json_each(?)) "
                + "ORDER BY t.\(inverse.column), \(order)t.Z_PK"
        case .manyToMany(let join):
            let order = join.orderColumn.map { "j.\($0), " } ?? ""
            text =
                "SELECT \(columns), j.\(join.ownColumn) FROM \(join.joinTable) j JOIN \(join.destinationTable) t "
                + "ON t.Z_PK = j.\(join.otherColumn) WHERE j.\(join.ownColumn) IN (SELECT value FROM json_each(?)) "
                + "ORDER BY j.\(join.ownColumn), \(order)t.Z_PK"
        default:
            return .empty
        }
        return try read { connection in
            let statement = try connection.prepare(text)
            try statement.bind(1, SQLiteStore.list(owners))
            return try dated(checked(statement.fetchBatch(kinds: tree.kinds + [.integer])))
        }
    }
}

extension SQLiteStore {
    /// Keys as one bound value, so that one prepared statement serves any number of them.
    static func list(_ keys: [Int64]) -> String {
        "[" + keys.lazy.map(String.init).joined(separator: ",") + "]"
    }

    /// The column of a whole row, behind a table's alias.
    static func plainName(_ column: PlanColumn, of alias: String = "") throws -> String {
        switch column {
        case .primaryKey: return alias + "Z_PK"
        case .version: return alias + "Z_OPT"
        case .entityNumber: return alias + "Z_ENT"
        case .stored(let name): return alias + name
        case .absent: return "NULL"
        default: throw SQLiteError(code: 21, message: "a row has plain columns only")
        }
    }
}
