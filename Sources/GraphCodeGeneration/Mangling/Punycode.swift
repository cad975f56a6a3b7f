// Punycode (RFC 3492) with the digits that Swift's symbols use. Called by SymbolMangler for identifiers that are not
// plain ASCII.

/// Encodes identifiers in letters, digits and underscores.
enum Punycode {
    private static let base = 36
    private static let digits = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ".utf8)

    static func encode(_ text: String) -> String {
        let input = text.unicodeScalars.map(codePoint)
        var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "_")) }
        var current = 0x80
        var delta = 0
        var bias = 72
        while handled < input.count {
            guard let next = input.filter({ $0 >= current }).min() else { break }
            delta += (next - current) * (handled + 1)
            current = next
            for point in input {
                if point < current { delta += 1 }
                guard point == current else { continue }
                appendVariableLength(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            current += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Moves ASCII characters that are invalid in a symbol to the unused range of surrogates.
    private static func codePoint(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.isASCII else { return Int(scalar.value) }
        let isSymbol =
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            || scalar == "_" || scalar == "$"
        return isSymbol ? Int(scalar.value) : Int(scalar.value) + 0xD800
    }

    private static func appendVariableLength(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var position = base
        while true {
            let threshold = min(max(position - bias, 1), 26)
            if rest < threshold { break }
            output.append(digits[threshold + (rest - threshold) % (base - threshold)])
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digits[rest])
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var position = 0
        while rest > (base - 1) * 26 / 2 {
            rest /= base - 1
            position += base
        }
        return position + base * rest / (rest + 38)
    }
}
