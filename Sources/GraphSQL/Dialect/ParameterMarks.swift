// The mark for a bound value in a statement's text. GraphSQL writes `?` everywhere, so that texts can be put
// together in any order; FetchTranslator and the statement texts turn it into the database's form at the end.

/// The form of the marks of bound values.
package enum ParameterMarks: Hashable, Sendable {
    /// `?`, in the order of the values; `?1` is the first value once more.
    case unnumbered
    /// The prefix and the number of the value, such as `$1`.
    case numbered(prefix: Character)

    /// `?, ?, ?`.
    package static func list(_ count: Int) -> String {
        repeatElement("?", count: count).joined(separator: ", ")
    }

    /// A text with marks of this form for its `?`.
    func written(_ statement: String) -> String {
        guard case .numbered(let prefix) = self else { return statement }
        return ParameterMarks.unnumbered.replaceMarks(in: statement) { "\(prefix)\($0 + 1)" }
    }

    /// A fragment with marks of this form for its `?`.
    ///
    /// Equal bindings share a number: a value that a text uses twice is sent once.
    func written(_ fragment: SQLFragment) -> SQLFragment {
        guard case .numbered(let prefix) = self else { return fragment }
        var bindings: [Binding] = []
        var numbers: [Binding: Int] = [:]
        let sql = ParameterMarks.unnumbered.replaceMarks(in: fragment.text) { place in
            let binding = fragment.bindings[place]
            if let number = numbers[binding] { return "\(prefix)\(number)" }
            bindings.append(binding)
            numbers[binding] = bindings.count
            return "\(prefix)\(bindings.count)"
        }
        return SQLFragment(text: sql, bindings: bindings)
    }

    /// A text with something else for each mark of this form.
    ///
    /// O(n). Marks in quoted names and literals are none; a mark stays if `replacement` is nil.
    func replaceMarks(in statement: String, _ replacement: (_ place: Int) -> String?) -> String {
        var result = ""
        var rest = statement[...]
        var quote: Character?
        var next = 0
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if let mark = mark(behind: character, rest, &next), let substitute = replacement(mark.place) {
                result += substitute
                rest = rest[mark.end...]
                continue
            }
            result.append(character)
        }
        return result
    }

    /// The mark that begins with a character, with the end of its number in the rest; nil for another text.
    private func mark(
        behind character: Character,
        _ rest: Substring,
        _ next: inout Int
    ) -> (place: Int, end: String.Index)? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        switch self {
        case .unnumbered:
            guard character == "?" else { return nil }
            let place = Int(digits).map { $0 - 1 } ?? next
            next = max(next, place + 1)
            return (place, digits.endIndex)
        case .numbered(let prefix):
            guard character == prefix, let number = Int(digits) else { return nil }
            return (number - 1, digits.endIndex)
        }
    }
}
