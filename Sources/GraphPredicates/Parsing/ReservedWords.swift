// The words that the format language keeps for itself. Used by the parser, and by the printer,
// which puts `#` before a key of that name.

enum ReservedWords {
    /// Words that cannot begin a key path unless `#` stands before them.
    static let strict: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
        "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "ANYKEY", "SUBQUERY", "FETCH",
        "CAST", "TERNARY", "FUNCTION", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS", "UNION",
        "INTERSECT", "MINUS",
    ]

    /// Words that have a meaning at one place only and are read as a key elsewhere.
    static let contextual: Set<String> = ["FIRST", "LAST", "SIZE", "CASEINSENSITIVE", "CI"]

    private static let longest = 15

    /// The upper-case spelling of a reserved word; nil for all other words.
    static func keyword(_ word: String) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let upper = word.uppercased()
        return strict.contains(upper) || contextual.contains(upper) ? upper : nil
    }

    /// Whether a key of this name must be written with `#`.
    static func needEscape(_ key: String) -> Bool {
        keyword(key) != nil
    }
}
