// Canonical Huffman codes of deflate: finds symbols by code, built from the code lengths alone. Used by Inflate.

/// The symbols of one alphabet.
struct HuffmanTable {
    /// The number of bits of the longest code.
    static let longest = 15

    /// The first code of each length, and the index of its first symbol.
    private var firstCodes = [Int](repeating: 0, count: longest + 1)
    private var starts = [Int](repeating: 0, count: longest + 1)
    private var counts = [Int](repeating: 0, count: longest + 1)
    private var symbols: [Int] = []

    /// Builds a table from code lengths; throws if the codes are oversubscribed.
    init(_ lengths: [UInt8]) throws(RawDeflate.Damaged) {
        self.init(fixed: lengths)
        var free = 1
        for length in 1...Self.longest {
            free = free * 2 - counts[length]
            guard free >= 0 else { throw .init() }
        }
    }

    /// Builds a table from valid code lengths.
    init(fixed lengths: [UInt8]) {
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var code = 0
        var start = 0
        for length in 1...Self.longest {
            code = (code + (length > 1 ? counts[length - 1] : 0)) << 1
            firstCodes[length] = code
            starts[length] = start
            start += counts[length]
        }
        symbols = [Int](repeating: 0, count: start)
        var next = starts
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[next[Int(length)]] = symbol
            next[Int(length)] += 1
        }
    }

    /// The symbol with this code; nil if no symbol has it.
    func symbol(_ code: Int, length: Int) -> Int? {
        let index = code - firstCodes[length]
        return index >= 0 && index < counts[length] ? symbols[starts[length] + index] : nil
    }
}
