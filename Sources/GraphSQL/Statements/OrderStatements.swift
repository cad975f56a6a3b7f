// The texts of the statements that write the order of an ordered to-many relationship, whichever table holds it. Called by
// the store's save.

/// The statements for the order of an ordered relationship.
package struct OrderStatements: Sendable {
    /// Members and their numbers; marks: the owner's key.
    package let allKeys: String
    /// The same of some members; marks: the owner's key, the members as a JSON array.
    package let someKeys: String
    /// The greatest number of all other members; marks: the owner's key, the members as a JSON array.
    package let lastOfOthers: String
    /// Sets a member's number; marks: number, the owner's key, the member's key.
    package let update: String

    /// The statements for one side of a many-to-many relationship; nil where it is not ordered.
    package init?(_ relationship: ManyToMany) {
        guard let order = relationship.orderColumn else { return nil }
        self.init(
            table: relationship.joinTable,
            owner: relationship.ownColumn,
            member: relationship.otherColumn,
            order: order
        )
    }

    /// The statements for a to-many relationship whose members' rows name their owner; nil where it is not ordered.
    package init?(_ relationship: ToManyInverse) {
        guard let order = relationship.orderColumn else { return nil }
        self.init(table: relationship.destinationTable, owner: relationship.column, member: "Z_PK", order: order)
    }

    private init(table: String, owner: String, member: String, order: String) {
        let chosen = "(SELECT value FROM json_each(?))"
        allKeys = "SELECT \(member), \(order) FROM \(table) WHERE \(owner) = ?"
        someKeys = "\(allKeys) AND \(member) IN \(chosen)"
        lastOfOthers = "SELECT max(\(order)) FROM \(table) WHERE \(owner) = ? AND \(member) NOT IN \(chosen)"
        update = "UPDATE \(table) SET \(order) = ? WHERE \(owner) = ? AND \(member) = ?"
    }
}
