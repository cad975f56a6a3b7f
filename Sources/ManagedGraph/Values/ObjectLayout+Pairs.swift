// The side of a many-to-many relationship that writes its pairs. Asked by saves, and by copies between stores.

extension ObjectLayout {
    /// Whether this side writes a relationship's pairs: both sides list them, and the first by name writes.
    func writesPairs(_ slot: Int) -> Bool {
        let description = slots[slot]
        guard description.inverseSlot >= 0, let destination = description.destination else { return true }
        let other = model.layouts[destination]
        let own = (description.name, tree.rootName)
        return !((other.slots[description.inverseSlot].name, other.tree.rootName) < own)
    }
}
