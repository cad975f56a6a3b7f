// The texts of a SortColumn in one block of memory.
import Foundation

/// Texts in UTF-8, one after another.
struct TextColumn {
    private var bytes: [UInt8] = []
    /// The end of the text of each element, which starts at the end of the one before.
    private var ends: [Int] = []
    /// Whether an element has no text, if there are such.
    private var isMissing: [Bool] = []

    /// Makes a column of no elements.
    init() {}

    /// Returns nil if a value is neither a text nor missing.
    init?(_ values: [EvaluatedValue]) {
        ends.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .null:
                if isMissing.isEmpty { isMissing = Array(repeating: false, count: values.count) }
                isMissing[ends.count] = true
            default: return nil
            }
            ends.append(bytes.count)
        }
    }

    /// The order of two texts, missing ones first.
    func compare(_ first: Int, _ second: Int, _ order: TextSort) -> ComparisonResult {
        if !isMissing.isEmpty, isMissing[first] || isMissing[second] {
            return isMissing[first] ? (isMissing[second] ? .orderedSame : .orderedAscending) : .orderedDescending
        }
        return bytes.withUnsafeBufferPointer {
            TextSort.compare(
                UnsafeBufferPointer(rebasing: $0[range(first)]),
                UnsafeBufferPointer(rebasing: $0[range(second)]),
                order
            )
        }
    }

    private func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }
}
