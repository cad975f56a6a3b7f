// The members of an ordered relationship in the order that a save writes.

/// The order of an ordered to-many relationship.
package struct OrderOperation {
    package var layout: EntityLayout
    package var slot: Int
    package var source: Int64
    /// All members, or those that follow all others.
    package var members: [Int64]
    package var isAppended = false
    /// Whether the rows of the owner and of the members are new, so that they have no places yet; false if that is unknown.
    package var isOwnerNew = false
    package var areMembersNew = false

    package init(
        layout: EntityLayout,
        slot: Int,
        source: Int64,
        members: [Int64],
        isAppended: Bool = false,
        isOwnerNew: Bool = false,
        areMembersNew: Bool = false
    ) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.members = members
        self.isAppended = isAppended
        self.isOwnerNew = isOwnerNew
        self.areMembersNew = areMembersNew
    }
}
