// The number at the beginning of a text, as NSString's `longLongValue` and `doubleValue` read it. Foundation's own stop
// the program if they meet a character beyond U+FFFF outside Apple's platforms. Used by KeyReader.

/// Reads numbers from texts that may go on behind them.
enum LeadingNumber {
    /// The integer, or the nearest one of 64 bits; 0 if the text does not begin with one.
    static func integer(in text: String) -> Int64 {
        let digits = spelling(in: text, isReal: false)
        return Int64(digits) ?? (digits.hasPrefix("-") ? .min : .max)
    }

    /// The real number, which may be infinite; 0 if the text does not begin with one.
    static func real(in text: String) -> Double { Double(spelling(in: text, isReal: true)) ?? 0 }

    /// The spelling of the number, without the spaces before it; `0` for none.
    private static func spelling(in text: String, isReal: Bool) -> String {
        let bytes = Array(String(text.unicodeScalars.drop { $0.properties.isWhitespace }).utf8)
        var end = 0
        if let first = bytes.first, isSign(first) { end = 1 }
        let whole = digits(in: bytes, at: end)
        end += whole
        var fraction = 0
        if isReal, end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            fraction = digits(in: bytes, at: end + 1)
            if fraction > 0 { end += 1 + fraction }
        }
        guard whole + fraction > 0 else { return "0" }
        if isReal, end < bytes.count, bytes[end] | 32 == UInt8(ascii: "e") {
            let isSigned = end + 1 < bytes.count && isSign(bytes[end + 1])
            let start = end + (isSigned ? 2 : 1)
            let exponent = digits(in: bytes, at: start)
            if exponent > 0 { end = start + exponent }
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

    /// The number of digits from an offset on.
    private static func digits(in bytes: [UInt8], at start: Int) -> Int {
        guard start < bytes.count else { return 0 }
        return bytes[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    }
}
