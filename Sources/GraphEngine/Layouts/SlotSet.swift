// A set of property slots. Part of every object's edits and of every row to be written, so copying must be cheap.

/// A set of property slots; entities of up to 64 properties need no allocation.
///
/// Public, because the compiler does not inline `package` members in other modules.
public struct SlotSet: Equatable, Sendable {
    @usableFromInline var low: UInt64 = 0
    /// Words for slots from 64 upwards, nil until one is inserted.
    @usableFromInline var high: [UInt64]?

    /// An empty set.
    @inlinable public init() {}

    /// A set of slots below 64, each of which is a bit.
    @inlinable @inline(__always)
    public init(bits: UInt64) { low = bits }

    /// Whether two sets have the same slots.
    @inlinable @inline(__always)
    public static func == (lhs: SlotSet, rhs: SlotSet) -> Bool {
        lhs.low == rhs.low && ((lhs.high == nil && rhs.high == nil) || lhs.high == rhs.high)
    }

    /// The slots as bits; nil if one may be 64 or larger.
    @inlinable @inline(__always)
    public var bits: UInt64? { high == nil ? low : nil }

    /// Whether the set is empty.
    @inlinable public var isEmpty: Bool { low == 0 && (high?.allSatisfy { $0 == 0 } ?? true) }

    /// Whether a slot is in the set.
    @inlinable @inline(__always)
    public func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        guard let high, slot / 64 - 1 < high.count else { return false }
        return high[slot / 64 - 1] & (1 << UInt64(slot % 64)) != 0
    }

    /// Adds a slot; returns whether it was new.
    @inlinable @inline(__always)
    @discardableResult
    public mutating func insert(_ slot: Int) -> Bool {
        guard slot < 64 else { return insertHigh(slot) }
        let bit: UInt64 = 1 << UInt64(slot)
        defer { low |= bit }
        return low & bit == 0
    }

    @inline(never)
    @usableFromInline mutating func insertHigh(_ slot: Int) -> Bool {
        let word = slot / 64 - 1
        var words = high ?? []
        while words.count <= word { words.append(0) }
        let bit: UInt64 = 1 << UInt64(slot % 64)
        let isNew = words[word] & bit == 0
        words[word] |= bit
        high = words
        return isNew
    }

    /// Removes a slot; does nothing if it is not in the set.
    @inlinable public mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if let words = high, slot / 64 - 1 < words.count {
            high?[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }

    /// Removes all slots.
    @inlinable public mutating func removeAll() {
        low = 0
        if high != nil { high = nil }
    }

    /// Adds the slots of another set.
    @inlinable public mutating func formUnion(_ other: SlotSet) {
        low |= other.low
        guard other.high != nil else { return }
        other.forEach { slot in insert(slot) }
    }

    /// The slots, ascending.
    @inlinable public var members: [Int] {
        var result: [Int] = []
        forEach { result.append($0) }
        return result
    }

    /// Calls `body` with each slot, ascending.
    @inlinable @inline(__always)
    public func forEach(_ body: (Int) throws -> Void) rethrows {
        var bits = low
        while bits != 0 {
            try body(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        guard let high else { return }
        for word in high.indices {
            var bits = high[word]
            while bits != 0 {
                try body((word + 1) * 64 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
    }
}
