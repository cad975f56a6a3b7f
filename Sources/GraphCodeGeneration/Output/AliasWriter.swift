// Writes aliases for the types that both ManagedGraph and Foundation have: without them a file that imports both could
// not refer to ours; and the function that finds classes by name, for targets that call it. The aliases refer to
// GraphPredicates, which declares the types: ManagedGraph re-exports Foundation's as well, so its name would also be
// ambiguous. Called by TargetGenerator.

/// Writes `ManagedGraphAliases.swift`.
struct AliasWriter {
    /// Names that Foundation also declares on non-Apple platforms, as classes that cannot be instantiated.
    static let names = ["NSComparisonPredicate", "NSExpression"]

    let index: SourceIndex
    /// The names that public declarations of the target mention: their aliases are public too.
    let publicNames: Set<String>
    /// Whether the target calls the function that finds classes by name, and does not declare it.
    let callsClassFunction: Bool

    static let classFunction = "NSClassFromString"

    func write(header: [String]) -> String {
        var code = CodeText()
        header.forEach { code.line($0) }
        for name in Self.names where index.entries[name] == nil {
            code.line()
            code.line("/// ManagedGraph's class, which Foundation also has under this name.")
            let access = publicNames.contains(name) ? "public " : ""
            code.line("\(access)typealias \(name) = GraphPredicates.\(name)")
        }
        if callsClassFunction {
            code.line()
            code.line(
                "/// Finds managed object classes by the names that entities have, and others as Foundation's function does."
            )
            let access = publicNames.contains(Self.classFunction) ? "public " : ""
            code.block("\(access)func \(Self.classFunction)(_ aClassName: String) -> AnyClass?") { code in
                code.line("ManagedGraph.ModuleRegistration.classNamed(aClassName)")
            }
        }
        return code.text
    }
}
