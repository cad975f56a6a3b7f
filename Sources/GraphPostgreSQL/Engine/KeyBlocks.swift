// Primary keys in blocks: a sequence gives the first key of a block, so that a process asks the server once for many
// rows. Owned by the engine; used by all of its writers.
import Synchronization

/// The keys of the blocks that this process has taken, by tree.
final class KeyBlocks: Sendable {
    /// The keys of a block, the increment of each sequence.
    static let size: Int64 = 64

    /// Guards the keys that are left.
    private let left = Mutex<[Int: [ClosedRange<Int64>]]>([:])

    /// Takes up to `count` keys of a tree that are left from earlier blocks.
    func take(_ count: Int, tree: Int) -> [ClosedRange<Int64>] {
        left.withLock { left in
            var ranges = left[tree] ?? []
            let keys = Self.take(Int64(count), from: &ranges)
            left[tree] = ranges
            return keys
        }
    }

    /// The number of keys that are missing if `count` are needed.
    func missing(_ count: Int, tree: Int) -> Int64 {
        left.withLock { left in
            max(0, Int64(count) - (left[tree] ?? []).reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 })
        }
    }

    /// Keeps keys that were not needed.
    func keep(_ ranges: [ClosedRange<Int64>], tree: Int) {
        if ranges.isEmpty { return }
        left.withLock { $0[tree, default: []] += ranges }
    }

    /// Removes the first `count` keys of ascending ranges.
    static func take(_ count: Int64, from ranges: inout [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var missing = count
        var keys: [ClosedRange<Int64>] = []
        while missing > 0, let first = ranges.first {
            let available = first.upperBound - first.lowerBound + 1
            if available <= missing {
                keys.append(first)
                ranges.removeFirst()
                missing -= available
            } else {
                keys.append(first.lowerBound...first.lowerBound + missing - 1)
                ranges[0] = first.lowerBound + missing...first.upperBound
                missing = 0
            }
        }
        return keys
    }

    /// Blocks of a size by their first keys; adjacent ones are one range.
    static func ranges(ofBlocks firsts: [Int64], size: Int64 = KeyBlocks.size) -> [ClosedRange<Int64>] {
        firsts.sorted()
            .reduce(into: []) { ranges, first in
                if let last = ranges.last, last.upperBound + 1 == first {
                    ranges[ranges.count - 1] = last.lowerBound...first + size - 1
                } else {
                    ranges.append(first...first + size - 1)
                }
            }
    }
}
