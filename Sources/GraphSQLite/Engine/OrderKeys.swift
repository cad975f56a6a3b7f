// The numbers in `Z_FOK_` columns, with gaps as Apple leaves them, so that a member can be inserted between two others.
// Used to write the order of a relationship.

import GraphEngine

/// Assigns the numbers that order the members of a relationship.
package enum OrderKeys {
    /// The gap between new numbers.
    package static let step: Int64 = 1024
    /// Numbers of a damaged store may be so large that sums overflow; those of this magnitude and above are replaced.
    package static let limit: Int64 = 1 << 62

    /// The number of a member after the last one; that of the last one itself if there is none above it.
    package static func next(after last: Int64) -> Int64 { last > .max - step ? .max : last + step }

    /// The fewest changes that make the numbers ascend; O(n log n).
    ///
    /// - Parameters:
    ///   - keys: The members' current numbers, in the desired order; nil for a member without one.
    ///   - floor: The exclusive lower bound of all numbers.
    /// - Returns: Indexes in `keys` and their new numbers.
    package static func changes(_ keys: [Int64?], above floor: Int64 = 0) -> [(place: Int, key: Int64)] {
        var result: [(place: Int, key: Int64)] = []
        guard isSmall(floor), keys.allSatisfy({ $0.map(isSmall) ?? true }) else {
            return renumbered(keys, above: floor)
        }
        var low = floor
        var start = 0
        let valid = keys.map { $0.flatMap { $0 > floor ? $0 : nil } }
        for place in LongestAscent.indexes(of: valid) + [keys.count] {
            let count = place - start
            let high = place < keys.count ? keys[place] ?? 0 : low + Int64(count + 1) * step
            if count > 0 {
                let gap = (high - low) / Int64(count + 1)
                // There is no room between two members: renumber all of them.
                if gap == 0 { return renumbered(keys, above: floor) }
                for index in 0..<count { result.append((start + index, low + Int64(index + 1) * gap)) }
            }
            low = high
            start = place + 1
        }
        return result
    }

    private static func isSmall(_ number: Int64) -> Bool { number.magnitude < limit.magnitude }

    private static func renumbered(_ keys: [Int64?], above floor: Int64) -> [(place: Int, key: Int64)] {
        keys.indices.compactMap { place in
            let key = floor &+ Int64(place + 1) &* step
            return keys[place] == key ? nil : (place, key)
        }
    }
}
