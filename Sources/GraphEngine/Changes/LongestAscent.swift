// The members of a list that keep their order while the others move. Used to number the members of ordered
// relationships, and by the results controller.

/// The longest ascending subsequence of numbers.
package enum LongestAscent {
    /// The indexes of a longest ascending subsequence; O(n log n).
    ///
    /// - Parameter keys: The numbers; nil for an element that belongs to no ascent.
    /// - Returns: The indexes, ascending.
    package static func indexes(of keys: [Int64?]) -> [Int] {
        // For each length: the index of the least number that ends an ascent of this length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: keys.count)
        for (place, key) in keys.enumerated() {
            guard let key else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if (keys[ends[middle]] ?? 0) < key { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[place] = ends[low - 1] }
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var result: [Int] = []
        var place = ends.last ?? -1
        while place >= 0 {
            result.append(place)
            place = before[place]
        }
        return result.reversed()
    }
}
