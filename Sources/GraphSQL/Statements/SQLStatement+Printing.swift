// Statements as people read them, with their values in their places. For plans and logs; what is run is bound.

extension SQLStatement {
    /// The statement with its values as literals.
    ///
    /// O(n).
    package var printed: String {
        var result = ""
        var values = bindings[...]
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "?", let value = values.popFirst() {
                result += value.shown
                continue
            }
            result.append(character)
        }
        return result
    }
}

extension SQLValue {
    /// The value as SQL writes it.
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): number.isFinite ? "\(number)" : number.isNaN ? "NULL" : number > 0 ? "9e999" : "-9e999"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let data): "x'" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}
