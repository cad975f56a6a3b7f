// What a rule is. Rules stand in Rules/, one a file; Porter runs them in the order of its list.

/// Finds one kind of thing that does not compile off Apple.
protocol PortingRule {
    /// Looks at all files of a module.
    ///
    /// - Parameters:
    ///   - files: The files that parse.
    ///   - index: What they declare.
    static func run(on files: [PortingFile], index: CodeIndex)
}
