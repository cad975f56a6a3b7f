// Identifiers in mangled names: their length and text, with repeated words replaced by letters, and Punycode for
// non-ASCII characters.

extension SymbolMangler {
    /// The maximum number of words that have letters.
    private static let maximumWords = 26

    /// Writes an identifier, or a reference to an equal one.
    mutating func appendIdentifier(_ identifier: String) {
        guard !appendSubstitution(.identifier(identifier)) else { return }
        let bytes = Array(identifier.utf8)
        if Self.needsPunycode(bytes) {
            let encoded = Punycode.encode(identifier)
            append("00\(encoded.utf8.count)")
            if let first = encoded.utf8.first, Self.isDigit(first) || first == UInt8(ascii: "_") { append("_") }
            append(encoded)
        } else {
            appendWords(of: bytes)
        }
        remember(.identifier(identifier))
    }

    private mutating func appendWords(of bytes: [UInt8]) {
        let parts = Self.split(bytes)
        let knownCount = words.count
        /// Repeated words of this identifier, as (range in it, index of the word).
        var replacements: [(range: Range<Int>, word: Int)] = []
        /// New words, with their range in the identifier until they are written.
        var newWords: [Range<Int>] = []
        for part in parts {
            let slice = bytes[part]
            let earlier = words[..<knownCount].firstIndex { word in
                buffer[word.start..<(word.start + word.length)].elementsEqual(slice)
            }
            let here = newWords.firstIndex { bytes[$0].elementsEqual(slice) }
            if let index = earlier ?? here.map({ $0 + knownCount }) {
                replacements.append((part, index))
            } else if part.count >= 2, knownCount + newWords.count < Self.maximumWords {
                newWords.append(part)
            }
        }
        if !replacements.isEmpty { append("0") }
        var position = 0
        for (index, replacement) in replacements.enumerated() {
            appendLiteral(bytes, position..<replacement.range.lowerBound, newWords)
            position = replacement.range.upperBound
            let isLast = index == replacements.count - 1
            let base = isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")
            buffer.append(base + UInt8(replacement.word))
            if isLast, position == bytes.count { append("0") }
        }
        appendLiteral(bytes, position..<bytes.count, newWords)
    }

    /// Writes a part of an identifier verbatim, and records the positions of its new words in the buffer.
    private mutating func appendLiteral(_ bytes: [UInt8], _ range: Range<Int>, _ newWords: [Range<Int>]) {
        guard !range.isEmpty else { return }
        append(String(range.count))
        let start = buffer.count
        for word in newWords where range.contains(word.lowerBound) {
            words.append(Word(start: start + word.lowerBound - range.lowerBound, length: word.count))
        }
        buffer.append(contentsOf: bytes[range])
    }

    /// The words of an identifier, such as three in `addToTasks`; a word does not start with a digit or an underscore.
    static func split(_ bytes: [UInt8]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start: Int?
        for position in 0...bytes.count {
            let byte: UInt8 = position < bytes.count ? bytes[position] : 0
            if let first = start, position > first, isWordEnd(byte, after: bytes[position - 1]) {
                result.append(first..<position)
                start = nil
            }
            if start == nil, byte != 0, byte != UInt8(ascii: "_"), !isDigit(byte) { start = position }
        }
        return result
    }

    private static func isWordEnd(_ byte: UInt8, after previous: UInt8) -> Bool {
        byte == 0 || byte == UInt8(ascii: "_") || (isUpper(byte) && !isUpper(previous))
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        isUpper(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func needsPunycode(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        let isSymbolStart = { (byte: UInt8) in
            isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        }
        return !isSymbolStart(first) || bytes.contains { !isSymbolStart($0) && !isDigit($0) }
    }
}
