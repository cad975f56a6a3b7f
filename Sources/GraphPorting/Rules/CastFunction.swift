// The function that a file gets for Apple's platforms once a cast in it is a call of the framework's function of that
// name. Written by the rules of casts.

/// A function at the end of a file, which the first rewritten cast adds.
struct CastFunction {
    private let lines: [String]
    private var isThere: Bool

    /// - Parameters:
    ///   - name: The function's name.
    ///   - declaration: Its lines, with the comment before it.
    ///   - file: The file that calls it, which may have it from an earlier run.
    init(_ name: String, _ declaration: [String], in file: PortingFile) {
        lines = ["", "#if canImport(ObjectiveC)"] + declaration + ["#endif", ""]
        isThere = FunctionSearch.finds(name, in: file.tree)
    }

    /// The edits of a cast, with those that add the function unless it is there.
    mutating func adding(to edits: [TextEdit], in file: PortingFile) -> [TextEdit] {
        guard !isThere else { return edits }
        let all = edits + [file.appending(lines)]
        isThere = file.edits.canAdd(all)
        return all
    }
}
