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
    /// The other side's keys of an object, in order where this side is ordered; marks: own key.
    package let selectOthers: String
    package let hasOrder: Bool
    package let hasInverseOrder: Bool

    package init(_ relationship: ManyToMany) {
        let table = relationship.joinTable
        let own = relationship.ownColumn
        let other = relationship.otherColumn
        let columns = [own, other, relationship.orderColumn, relationship.inverseOrderColumn].compactMap(\.self)
        let names = columns.joined(separator: ", ")
        insert = "INSERT OR REPLACE INTO \(table)(\(names)) VALUES(\(SQLMarks.list(columns.count)))"
        delete = "DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?"
        deleteAll =
            "DELETE FROM \(table) WHERE " + (relationship.isReflexive ? "\(own) = ?1 OR \(other) = ?1" : "\(own) = ?")
        let order = relationship.orderColumn.map { " ORDER BY \($0)" } ?? ""
        selectOthers = "SELECT \(other) FROM \(table) WHERE \(own) = ?\(order)"
        hasOrder = relationship.orderColumn != nil
        hasInverseOrder = relationship.inverseOrderColumn != nil
    }
}
