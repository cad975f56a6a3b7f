// The matcher of LIKE: `?` is one character, `*` any number of them, a backslash takes the next character literally.
// Used by the evaluator and, as a function, by SQL. Time is bounded by the product of the lengths.

/// A pattern of the LIKE operator.
package struct WildcardPattern: Sendable {
    private enum Element: Equatable, Sendable {
        case character(Character)
        case one
        case many
    }

    private let elements: [Element]
    private let options: ComparisonOptions
    /// The pattern as bytes, where all its characters are ASCII.
    private let bytes: ContiguousArray<Byte>?

    /// An element of a pattern of bytes.
    private enum Byte: Equatable, Sendable {
        case byte(UInt8)
        case one
        case many
    }

    /// Reads a pattern.
    package init(_ pattern: String, options: ComparisonOptions = []) {
        self.options = options
        var elements: [Element] = []
        var isEscaped = false
        // Folding keeps `*`, `?` and the backslash, so the pattern may be folded whole.
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
        let bytes = elements.compactMap { element -> Byte? in
            switch element {
            case .character(let character): character.utf8.count == 1 ? character.asciiValue.map(Byte.byte) : nil
            case .one: .one
            case .many: .many
            }
        }
        self.bytes = bytes.count == elements.count ? ContiguousArray(bytes) : nil
    }

    /// Whether a text of ASCII characters matches; nil where it, or the pattern, has others.
    func matches(ascii text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard let bytes else { return nil }
        // A carriage return and a line feed are one character.
        for byte in text where byte >= 128 || byte == UInt8(ascii: "\r") { return nil }
        let lower: UInt8 = options.contains(.caseInsensitive) ? 32 : 0
        var position = 0
        var element = 0
        var retry: (element: Int, position: Int)?
        while position < text.count {
            if element < bytes.count, bytes[element] == .many {
                element += 1
                retry = (element, position)
            } else if element < bytes.count,
                bytes[element] == .one || bytes[element] == .byte(TextMatcher.folded(text[position], lower))
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
        while element < bytes.count, bytes[element] == .many { element += 1 }
        return element == bytes.count
    }

    /// Whether the whole text matches.
    package func matches(_ text: String) -> Bool {
        let characters = Array(TextFolding.fold(text, options))
        var position = 0
        var element = 0
        // Where to try again: behind the last star, one character further on.
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
