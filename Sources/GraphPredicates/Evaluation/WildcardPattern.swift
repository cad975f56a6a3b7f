// The matcher of LIKE: `?` is one character, `*` any number of them, a backslash escapes the next character. Used by
// TextMatcher. Time is bounded by the product of the lengths.

/// A pattern of the LIKE operator.
package struct WildcardPattern: Sendable {
    private enum Element: Equatable, Sendable {
        case character(Character)
        case one
        case many
    }

    private let elements: [Element]
    private let options: ComparisonOptions
    /// The pattern as bytes if it is all ASCII, with its wildcards as bytes that no text contains.
    private let bytes: ContiguousArray<UInt8>?
    private static let one: UInt8 = 0xFF
    private static let many: UInt8 = 0xFE
    private static let none: UInt8 = 0xFD

    /// Parses a pattern.
    package init(_ pattern: String, options: ComparisonOptions = []) {
        self.options = options
        var elements: [Element] = []
        var isEscaped = false
        // Folding keeps `*`, `?` and the backslash, so fold the whole pattern.
        for character in TextFolding.fold(pattern, options) {
            if isEscaped {
                elements.append(.character(character))
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "*" {
                if elements.last != .many { elements.append(.many) }
            } else {
                elements.append(character == "?" ? .one : .character(character))
            }
        }
        if isEscaped { elements.append(.character("\\")) }
        self.elements = elements
        let bytes = elements.compactMap { element -> UInt8? in
            switch element {
            case .character(let character): character.utf8.count == 1 ? character.asciiValue : nil
            case .one: Self.one
            case .many: Self.many
            }
        }
        self.bytes = bytes.count == elements.count ? ContiguousArray(bytes) : nil
    }

    /// Whether a folded text in UTF-8 matches; nil if the match needs its characters.
    func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let bytes else { return nil }
        var place = 0
        while place < text.count {
            let byte = text[place]
            // Below the first combining mark, each letter is a character. CR LF is one character.
            guard byte < 0xCC, byte != UInt8(ascii: "\r") else { return nil }
            place += 1
            guard byte >= 0x80 else { continue }
            guard byte >= 0xC2, place < text.count, text[place] & 0xC0 == 0x80 else { return nil }
            place += 1
        }
        return bytes.withUnsafeBufferPointer { matches(text, $0, lower: 0) }
    }

    /// Whether an ASCII string matches; nil if it or the pattern has other characters, or if it has a carriage return.
    func matches(ascii text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let bytes else { return nil }
        for byte in text where byte >= 0x80 || byte == UInt8(ascii: "\r") { return nil }
        return bytes.withUnsafeBufferPointer {
            matches(text, $0, lower: options.contains(.caseInsensitive) ? 32 : 0)
        }
    }

    @inline(__always)
    private func matches(
        _ text: UnsafeBufferPointer<UInt8>,
        _ pattern: UnsafeBufferPointer<UInt8>,
        lower: UInt8
    ) -> Bool {
        var position = 0
        var element = 0
        var retry = (element: -1, position: 0)
        while position < text.count {
            let wanted = element < pattern.count ? pattern[element] : Self.none
            if wanted == Self.many {
                element += 1
                retry = (element, position)
            } else if wanted == Self.one {
                element += 1
                position += text[position] < 0x80 ? 1 : 2
            } else if wanted == TextMatcher.folded(text[position], lower) {
                element += 1
                position += 1
            } else if retry.element >= 0 {
                element = retry.element
                position = retry.position + (text[retry.position] < 0x80 ? 1 : 2)
                retry.position = position
            } else {
                return false
            }
        }
        while element < pattern.count, pattern[element] == Self.many { element += 1 }
        return element == pattern.count
    }

    /// Whether the whole text matches.
    package func matches(_ text: String) -> Bool {
        let characters = Array(TextFolding.fold(text, options))
        var position = 0
        var element = 0
        // The position to retry from: after the last star, one character further on.
        var retry: (element: Int, position: Int)?
        while position < characters.count {
            if element < elements.count, elements[element] == .many {
                element += 1
                retry = (element, position)
            } else if element < elements.count,
                elements[element] == .one || elements[element] == .character(characters[position])
            {
                element += 1
                position += 1
            } else if let last = retry {
                element = last.element
                position = last.position + 1
                retry = (element, position)
            } else {
                return false
            }
        }
        while element < elements.count, elements[element] == .many { element += 1 }
        return element == elements.count
    }
}
