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
