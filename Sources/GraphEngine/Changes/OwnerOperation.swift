// The owner that a save writes into the row of a member, for a relationship without an inverse.

/// A member gained or lost by a to-many relationship without an inverse: the member's row stores the owner.
package struct OwnerOperation {
    package var layout: EntityLayout
    package var slot: Int
    /// The owner's key; nil if the relationship lost the member.
    package var source: Int64?
    package var member: Int64

    package init(layout: EntityLayout, slot: Int, source: Int64? = nil, member: Int64) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.member = member
    }
}
