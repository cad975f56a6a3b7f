// The set of characters that one element of a regular expression matches. Used by the automaton of ASCIIExpression.

/// A set of ASCII characters, with a flag for all other characters.
struct ASCIISet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var hasOthers = false

    /// Stands for all characters outside ASCII.
    static let other: UInt8 = 128

    /// The characters that a dot matches: all except line ends.
    static let dot = ASCIISet(0x0A...0x0D).inverted
    static let digits = ASCIISet(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let small = ASCIISet(UInt8(ascii: "a")...UInt8(ascii: "z"))
    static let capital = ASCIISet(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    static let word = digits.union(small).union(capital).union(ASCIISet(UInt8(ascii: "_")...UInt8(ascii: "_")))
    static let space = ASCIISet(0x09...0x0D).union(ASCIISet(0x20...0x20))

    init() {}

    init(_ bytes: ClosedRange<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        if byte == Self.other { return hasOthers }
        return (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 != 0
    }

    func union(_ other: ASCIISet) -> ASCIISet {
        var result = self
        result.low |= other.low
        result.high |= other.high
        result.hasOthers = hasOthers || other.hasOthers
        return result
    }

    var inverted: ASCIISet {
        var result = self
        result.low = ~low
        result.high = ~high
        result.hasOthers = !hasOthers
        return result
    }

    /// The set with both cases of each of its letters.
    var withBothCases: ASCIISet {
        var result = self
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") {
            if contains(byte) { result.insert(byte | 32) }
            if contains(byte | 32) { result.insert(byte) }
        }
        return result
    }
}
