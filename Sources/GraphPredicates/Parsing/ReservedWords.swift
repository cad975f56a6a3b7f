// The reserved words of the format language. Used by the parser, and by the printer, which writes `#` before keys of
// the same name.

enum ReservedWords {
    /// Words that cannot begin a key path unless `#` precedes them.
    static let strict: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
        "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "ANYKEY", "SUBQUERY", "FETCH",
        "CAST", "TERNARY", "FUNCTION", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS", "UNION",
        "INTERSECT", "MINUS",
    ]

    /// Words that have a meaning in one position only and are keys elsewhere.
    static let contextual: Set<String> = ["FIRST", "LAST", "SIZE", "CASEINSENSITIVE", "CI"]

    private static let longest = 15

    /// The upper-case spelling of a reserved word; nil for all other words.
    static func keyword(_ word: String) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let upper = word.uppercased()
        return strict.contains(upper) || contextual.contains(upper) ? upper : nil
    }

    /// Whether a key of this name requires `#`.
    static func needEscape(_ key: String) -> Bool {
        keyword(key) != nil
    }
}
