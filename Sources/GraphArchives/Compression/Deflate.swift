// Compresses bytes to raw deflate data (RFC 1951): one block with the fixed codes, repetitions found by a hash of three
// bytes. Called by RawDeflate. Models have a few kilobytes, so dynamic tables would not pay off.

/// Compresses one stream.
struct Deflate {
    private let input: [UInt8]
    private var output: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// The last position of three bytes with each hash, and for each position the one before it with the same hash.
    private var heads = [Int32](repeating: -1, count: 1 << hashBits)
    private var previous: [Int32]

    private static let hashBits = 13
    private static let window = 32_768
    private static let longest = 258
    /// The maximum number of earlier positions compared for one repetition.
    private static let tries = 64

    init(_ input: [UInt8]) {
        self.input = input
        previous = [Int32](repeating: -1, count: input.count)
    }

    /// The compressed bytes.
    mutating func run() -> [UInt8] {
        put(1, 1)
        put(1, 2)
        var position = 0
        while position < input.count {
            let match = longestMatch(at: position)
            if match.length >= 3 {
                putLength(match.length)
                putDistance(match.distance)
            } else {
                putSymbol(Int(input[position]))
            }
            let end = position + max(1, match.length)
            while position < end {
                remember(position)
                position += 1
            }
        }
        putSymbol(256)
        if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
        return output
    }

    // MARK: Repetitions

    private func hash(_ position: Int) -> Int {
        let value = UInt32(input[position]) | UInt32(input[position + 1]) << 8 | UInt32(input[position + 2]) << 16
        return Int((value &* 2_654_435_761) >> UInt32(32 - Self.hashBits))
    }

    private mutating func remember(_ position: Int) {
        guard position + 3 <= input.count else { return }
        let hash = hash(position)
        previous[position] = heads[hash]
        heads[hash] = Int32(position)
    }

    private func longestMatch(at position: Int) -> (length: Int, distance: Int) {
        guard position + 3 <= input.count else { return (0, 0) }
        let most = min(Self.longest, input.count - position)
        var best = (length: 0, distance: 0)
        var candidate = Int(heads[hash(position)])
        var tries = Self.tries
        while candidate >= 0, position - candidate <= Self.window, tries > 0 {
            var length = 0
            while length < most, input[candidate + length] == input[position + length] { length += 1 }
            if length > best.length { best = (length, position - candidate) }
            if length == most { break }
            candidate = Int(previous[candidate])
            tries -= 1
        }
        return best.length >= 3 ? best : (0, 0)
    }

    // MARK: Bits

    private mutating func put(_ value: Int, _ count: Int) {
        bits |= UInt64(value) << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Writes a code, highest bit first.
    private mutating func putCode(_ code: Int, _ count: Int) {
        var reversed = 0
        for bit in 0..<count where code & 1 << bit != 0 { reversed |= 1 << (count - 1 - bit) }
        put(reversed, count)
    }

    private mutating func putSymbol(_ symbol: Int) {
        switch symbol {
        case ..<144: putCode(0x30 + symbol, 8)
        case ..<256: putCode(0x190 + symbol - 144, 9)
        case ..<280: putCode(symbol - 256, 7)
        default: putCode(0xc0 + symbol - 280, 8)
        }
    }

    private mutating func putLength(_ length: Int) {
        guard let code = DeflateCodes.lengths.lastIndex(where: { $0.base <= length }) else { return }
        putSymbol(257 + code)
        put(length - DeflateCodes.lengths[code].base, DeflateCodes.lengths[code].extraBits)
    }

    private mutating func putDistance(_ distance: Int) {
        guard let code = DeflateCodes.distances.lastIndex(where: { $0.base <= distance }) else { return }
        putCode(code, 5)
        put(distance - DeflateCodes.distances[code].base, DeflateCodes.distances[code].extraBits)
    }
}
