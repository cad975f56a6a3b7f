// Patterns of the predicate language's LIKE in SQL's form.

enum LikePattern {
    /// A pattern with `%` for `*` and `_` for `?`.
    ///
    /// A backslash escapes the next character in both languages; at the end it is a character.
    static func text(of pattern: String) -> String {
        var result = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                result += literal(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "*" {
                result += "%"
            } else if character == "?" {
                result += "_"
            } else {
                result += literal(character)
            }
        }
        return isEscaped ? result + literal("\\") : result
    }

    private static func literal(_ character: Character) -> String {
        character == "%" || character == "_" || character == "\\" ? "\\\(character)" : String(character)
    }
}
