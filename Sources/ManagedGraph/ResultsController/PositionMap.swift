// Maps positions of unmoved rows across a change. Used to merge differences.

/// Maps positions in a sequence before and after removals and insertions.
struct PositionMap {
    /// The positions of removed elements before the change, ascending.
    let leaving: [Int]
    /// The positions of inserted elements after the change, ascending.
    let coming: [Int]

    /// Creates a map from unsorted positions.
    init(leaving: [Int] = [], coming: [Int] = []) {
        self.leaving = leaving.sorted()
        self.coming = coming.sorted()
    }

    /// The position after the change of an element that stays.
    ///
    /// O(log(removals + insertions)).
    func forward(_ position: Int) -> Int {
        Self.position(ofRank: position - Self.countBelow(position, in: leaving), without: coming)
    }

    /// The position before the change of an element that stays.
    func backward(_ position: Int) -> Int {
        Self.position(ofRank: position - Self.countBelow(position, in: coming), without: leaving)
    }

    private static func countBelow(_ position: Int, in positions: [Int]) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The position not among `positions` that has `rank` others of its kind before it.
    private static func position(ofRank rank: Int, without positions: [Int]) -> Int {
        // positions[k] - k does not decrease: it is the number of other positions before the k-th.
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return rank + low
    }
}
