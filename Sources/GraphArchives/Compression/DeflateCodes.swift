// The constants of deflate (RFC 1951, 3.2.5 and 3.2.6) for lengths and distances. Used by both directions.

enum DeflateCodes {
    /// The base value of a code, and the number of extra bits that follow it.
    struct Entry {
        var base: Int
        var extraBits: Int
    }

    /// Codes 257 to 285: lengths of 3 to 258 bytes.
    static let lengths: [Entry] = {
        var entries = table(bases: 3, plain: 8, perStep: 4, count: 28)
        entries.append(Entry(base: 258, extraBits: 0))
        return entries
    }()

    /// Codes 0 to 29: distances of 1 to 32,768 bytes.
    static let distances = table(bases: 1, plain: 4, perStep: 2, count: 30)

    /// The order in which the lengths of the code length codes are stored.
    static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The length of a symbol's code in a block without a table.
    static func fixedLength(_ symbol: Int) -> UInt8 {
        switch symbol {
        case ..<144: 8
        case ..<256: 9
        case ..<280: 7
        default: 8
        }
    }

    private static func table(bases first: Int, plain: Int, perStep: Int, count: Int) -> [Entry] {
        var entries: [Entry] = []
        var base = first
        for code in 0..<count {
            let bits = code < plain ? 0 : code / perStep - 1
            entries.append(Entry(base: base, extraBits: bits))
            base += 1 << bits
        }
        return entries
    }
}
