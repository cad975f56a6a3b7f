// The texts of the statements that write the order of an ordered to-many relationship, whichever table holds it.
// Called by the store's save.

/// The statements for the order of an ordered relationship.
package struct OrderStatements: Sendable {
    package let table: String
    /// The column that names a member's owner.
    package let ownerColumn: String
    /// Members and their numbers; marks: the owner's key.
    package let allKeys: String
    /// The same of some members; marks: the owner's key, the members as one list.
    package let someKeys: String
    /// The greatest number of all other members; marks: the owner's key, the members as one list.
    package let lastOfOthers: String
    /// Sets a member's number; marks: number, the owner's key, the member's key.
    package let update: String
    /// Numbers members with consecutive keys; nil if pairs hold the numbers.
    ///
    /// Marks: the first number, the first key, the gap between numbers, the first and the last key, the owner's key.
    package let updateRange: String?

    /// The statements for one side of a many-to-many relationship; nil if it is not ordered.
    package init?(_ relationship: ManyToMany, dialect: any SQLDialect) {
        guard let order = relationship.orderColumn else { return nil }
        self.init(
            table: relationship.joinTable,
            owner: relationship.ownColumn,
            member: relationship.otherColumn,
            order: order,
            hasPairs: true,
            dialect: dialect
        )
    }

    /// The statements for a to-many relationship whose members' rows name their owner; nil if it is not ordered.
    package init?(_ relationship: ToManyInverse, dialect: any SQLDialect) {
        guard let order = relationship.orderColumn else { return nil }
        self.init(
            table: relationship.destinationTable,
            owner: relationship.column,
            member: "Z_PK",
            order: order,
            hasPairs: false,
            dialect: dialect
        )
    }

    private init(
        table: String,
        owner: String,
        member: String,
        order: String,
        hasPairs: Bool,
        dialect: any SQLDialect
    ) {
        self.table = table
        ownerColumn = owner
        let table = dialect.table(table)
        let owner = dialect.identifier(owner)
        let member = dialect.identifier(member)
        let order = dialect.identifier(order)
        let all = "SELECT \(member), \(order) FROM \(table) WHERE \(owner) = ?"
        let isOther = dialect.notMemberOfList(column: member)
        allKeys = dialect.statement(all)
        someKeys = dialect.statement("\(all) AND \(dialect.memberOfList(column: member))")
        lastOfOthers = dialect.statement("SELECT max(\(order)) FROM \(table) WHERE \(owner) = ? AND \(isOther)")
        update = dialect.statement("UPDATE \(table) SET \(order) = ? WHERE \(owner) = ? AND \(member) = ?")
        // The sign keeps SQLite from reading all members through the index of the owner.
        let range =
            "UPDATE \(table) SET \(order) = ? + (\(member) - ?) * ? WHERE \(member) BETWEEN ? AND ? AND +\(owner) = ?"
        updateRange = hasPairs ? nil : dialect.statement(range)
    }
}
