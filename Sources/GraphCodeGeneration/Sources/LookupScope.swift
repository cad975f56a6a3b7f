// The place in the sources from which a name is looked up.

/// The scope in which a name is looked up.
package struct LookupScope: Hashable, Sendable {
    /// The path of the type whose body or extension contains the name.
    package var path: [String] = []
    /// The number of leading names of the path that belong to the head of an extension.
    package var extensionDepth = 0
    package var file = ""

    /// The paths to search, from the innermost to the module's top level.
    var searched: [[String]] {
        let visible = stride(from: path.count, through: max(extensionDepth, 1), by: -1).map { Array(path[..<$0]) }
        return visible + [[]]
    }
}

extension LookupScope {
    package init(_ context: DeclarationContext) {
        self.init(path: context.enclosing, extensionDepth: context.extensionDepth, file: context.location.file)
    }
}
