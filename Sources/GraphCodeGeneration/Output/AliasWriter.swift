// Writes aliases for the types that ManagedGraph and Foundation both have: without them a file that imports both could
// not name ours. They name GraphPredicates, which declares the types: ManagedGraph shows Foundation's as well, so the
// name would be ambiguous there too. Called by TargetGenerator.

/// Writes `ManagedGraphAliases.swift`.
struct AliasWriter {
    /// Foundation has these names off Apple too, as classes that cannot be made.
    static let names = ["NSComparisonPredicate", "NSExpression"]

    let index: SourceIndex
    /// The names that public declarations of the target mention: aliases of these are public too.
    let publicNames: Set<String>

    func write(header: [String]) -> String {
        var code = CodeText()
        header.forEach { code.line($0) }
        for name in Self.names where index.entries[name] == nil {
            code.line()
            code.line("/// ManagedGraph's class, where Foundation has one of this name too.")
            let access = publicNames.contains(name) ? "public " : ""
            code.line("\(access)typealias \(name) = GraphPredicates.\(name)")
        }
        return code.text
    }
}
