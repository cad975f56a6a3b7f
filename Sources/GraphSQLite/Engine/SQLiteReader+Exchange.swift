// Rows for fetches and exports of any size, read in portions from one statement each. Called by
// ManagedGraphTools/Exchange; never writes.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteReader: ExchangeReadSession {
    /// Passes the rows of some entities of a tree to `body`, in key order and in portions.
    package func eachPortion(
        of tree: TreeLayout,
        entities: [EntityLayout],
        size: Int,
        _ body: (RowBatch) throws -> Void
    ) throws {
        guard let table = engine.schema.entities[tree.rootName]?.tableName else { return }
        try read { connection in
            let columns = try engine.plainColumns(tree)
            let numbers = entities.map { "\(engine.entityNumber($0))" }.joined(separator: ", ")
            let condition = tree.isInTree ? " WHERE +Z_ENT IN (\(numbers))" : ""
            let statement = try connection.prepare(
                "SELECT \(columns) FROM \(table.sqliteName)\(condition) ORDER BY Z_PK"
            )
            defer { statement.reset() }
            var isMore = true
            while isMore {
                let batch = try checked(statement.fetchPortion(kinds: tree.kinds, maximumRows: size))
                isMore = batch.hasMore
                try body(batch)
            }
        }
    }

    /// The members of a to-many relationship of many objects: owner, key, entity number; sorted if the relationship is
    /// ordered.
    package func memberKeys(layout: EntityLayout, slot: Int, owners: [Int64]) throws -> RowBatch {
        guard let owned = engine.ownedMembers(layout, slot) else { return .empty }
        let sql = "SELECT \(owned.owner), t.Z_PK, t.Z_ENT \(owned.source)"
        return try read { connection in
            let statement = try connection.prepare(sql)
            try statement.bind(1, SQLiteEngine.list(owners))
            return try statement.fetchBatch(kinds: [.integer, .integer, .integer])
        }
    }
}
