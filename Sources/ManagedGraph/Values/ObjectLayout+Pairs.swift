// The side of a many-to-many relationship that writes its pairs. Called by saves, and by copies between stores.

extension ObjectLayout {
    /// Whether this side writes a relationship's pairs: both sides list them, and the first by name writes.
    func writesPairs(_ slot: Int) -> Bool {
        let description = slots[slot]
        guard description.inverseSlot >= 0, let destination = description.destination else { return true }
        let destinationLayout = model.layouts[destination]
        let ownPair = (description.name, tree.rootName)
        return !((destinationLayout.slots[description.inverseSlot].name, destinationLayout.tree.rootName) < ownPair)
    }
}
