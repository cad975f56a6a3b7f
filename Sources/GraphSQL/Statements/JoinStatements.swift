// The texts of the statements that write a many-to-many relationship's table, seen from one side. Called by the store's
// save.

/// The statements of a join table.
package struct JoinStatements: Sendable {
    /// Adds a pair; one that is there is written again.
    ///
    /// Marks: own key, other key, then the order for this side and the
    /// order for the inverse, as far as the table has them.
    package let insert: String
    /// Marks: own key, other key.
    package let delete: String
    /// Removes all pairs of an object; marks: own key.
    package let deleteAll: String
    /// Removes all pairs of many objects, one statement for each column that can have them; marks: the keys as one list.
    package let deleteAllOfMany: [String]
    /// The other side's keys of an object, in order if this side is ordered; marks: own key.
    package let selectOthers: String
    package let hasOrder: Bool
    package let hasInverseOrder: Bool

    package init(_ relationship: ManyToMany, dialect: any SQLDialect) {
        let table = dialect.table(relationship.joinTable)
        let ownColumn = dialect.identifier(relationship.ownColumn)
        let otherColumn = dialect.identifier(relationship.otherColumn)
        let keys = [relationship.ownColumn, relationship.otherColumn]
        let orders = [relationship.orderColumn, relationship.inverseOrderColumn].compactMap(\.self)
        insert = dialect.statement(
            dialect.upsert(into: relationship.joinTable, columns: keys + orders, key: keys)
        )
        delete = dialect.statement("DELETE FROM \(table) WHERE \(ownColumn) = ? AND \(otherColumn) = ?")
        let all = relationship.isReflexive ? "\(ownColumn) = ?1 OR \(otherColumn) = ?1" : "\(ownColumn) = ?"
        deleteAll = dialect.statement("DELETE FROM \(table) WHERE \(all)")
        deleteAllOfMany = (relationship.isReflexive ? [ownColumn, otherColumn] : [ownColumn]).map {
            dialect.statement("DELETE FROM \(table) WHERE \(dialect.memberOfList(column: $0))")
        }
        let order = relationship.orderColumn.map { column in
            let key = SQLFragment.identifier(column, dialect)
            return " ORDER BY \(dialect.sortKey(key, collation: nil, isAscending: true, isNullable: true).text)"
        }
        selectOthers = dialect.statement("SELECT \(otherColumn) FROM \(table) WHERE \(ownColumn) = ?\(order ?? "")")
        hasOrder = relationship.orderColumn != nil
        hasInverseOrder = relationship.inverseOrderColumn != nil
    }
}
