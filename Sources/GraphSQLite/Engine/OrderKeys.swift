// The numbers in `Z_FOK_` columns: steps apart, as Apple leaves them, so that a member can be put between two. Used when the
// order of a relationship is written.

/// Numbers that put the members of an ordered relationship into their order.
package enum OrderKeys {
    /// How far apart new numbers are.
    package static let step: Int64 = 1024

    /// The numbers to write so that they ascend, as few as possible; O(n log n).
    ///
    /// - Parameters:
    ///   - keys: The members' numbers as they are, in the order wanted; nil where a member has none.
    ///   - floor: What all numbers must be greater than.
    /// - Returns: Places in `keys` and their new numbers.
    package static func changes(_ keys: [Int64?], above floor: Int64 = 0) -> [(place: Int, key: Int64)] {
        var result: [(place: Int, key: Int64)] = []
        // Numbers of a damaged store may leave no room for sums.
        guard keys.allSatisfy({ $0.map { $0.magnitude < 1 << 62 } ?? true }) else {
            return renumbered(keys, above: floor)
        }
        var low = floor
        var start = 0
        for place in longestAscent(keys, above: floor) + [keys.count] {
            let count = place - start
            let high = place < keys.count ? keys[place] ?? 0 : low + Int64(count + 1) * step
            if count > 0 {
                let gap = (high - low) / Int64(count + 1)
                // No room between two members: all are numbered anew.
                if gap == 0 { return renumbered(keys, above: floor) }
                for index in 0..<count { result.append((start + index, low + Int64(index + 1) * gap)) }
            }
            low = high
            start = place + 1
        }
        return result
    }

    private static func renumbered(_ keys: [Int64?], above floor: Int64) -> [(place: Int, key: Int64)] {
        keys.indices.compactMap { place in
            let key = floor &+ Int64(place + 1) &* step
            return keys[place] == key ? nil : (place, key)
        }
    }

    /// The places of as many numbers as possible that ascend already.
    private static func longestAscent(_ keys: [Int64?], above floor: Int64) -> [Int] {
        // By length: the place whose number is the least that an ascent of this length ends with.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: keys.count)
        for (place, key) in keys.enumerated() {
            guard let key, key > floor else { continue }
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
