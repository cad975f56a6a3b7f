// Where the rows that stay are, before and after a change. Used to put differences together.

/// Positions before and after some leave and others come, in one sequence.
struct PositionMap {
    /// The positions before, ascending, of those who leave.
    let leaving: [Int]
    /// The positions after, ascending, of those who come.
    let coming: [Int]

    /// A map of unsorted positions.
    init(leaving: [Int] = [], coming: [Int] = []) {
        self.leaving = leaving.sorted()
        self.coming = coming.sorted()
    }

    /// Where one who stays is after the change.
    ///
    /// O(log of those who leave and come).
    func forward(_ position: Int) -> Int {
        Self.position(ofRank: position - Self.countBelow(position, in: leaving), without: coming)
    }

    /// Where one who stays was before the change.
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

    /// The position with `rank` positions before it that are not among `positions`, and that is not either.
    private static func position(ofRank rank: Int, without positions: [Int]) -> Int {
        // positions[k] - k grows: it is how many others stand before the k-th.
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= rank { low = middle + 1 } else { high = middle }
        }
        return rank + low
    }
}
