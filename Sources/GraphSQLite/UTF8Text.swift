// UTF-8 validation. Called for every text of a fetch, so ASCII is checked eight bytes at a time.

enum UTF8Text {
    /// Whether `count` bytes are well-formed UTF-8.
    ///
    /// O(count).
    @inline(__always)
    static func isValid(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var index = 0
        while index &+ 8 <= count {
            let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { break }
            index &+= 8
        }
        while index < count, bytes[index] < 0x80 { index &+= 1 }
        return index == count || isWellFormed(bytes + index, count - index)
    }

    @inline(never)
    private static func isWellFormed(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var index = 0
        while index < count {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let (length, low): (Int, UInt8) =
                switch lead {
                case 0xC2...0xDF: (2, 0x80)
                case 0xE0: (3, 0xA0)
                case 0xE1...0xEF: (3, 0x80)
                case 0xF0: (4, 0x90)
                case 0xF1...0xF4: (4, 0x80)
                default: (0, 0)
                }
            guard length > 0, index + length <= count else { return false }
            let second = bytes[index + 1]
            // Surrogates and values above the last code point are not well-formed.
            let high: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
            guard second >= low, second <= high else { return false }
            for place in 2..<max(length, 2) where bytes[index + place] & 0xC0 != 0x80 { return false }
            index += length
        }
        return true
    }
}
