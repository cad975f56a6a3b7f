// The declarations that SourceReader finds in a target's sources, as values. Used by SourceIndex and the writers.
// Contains no syntax nodes.

/// All declarations found in a set of files.
package struct SourceDeclarations: Sendable {
    /// An `import` with its enclosing condition.
    package struct Import: Hashable, Sendable {
        package var text: String
        package var condition: String?
    }

    package var types: [DeclaredType] = []
    package var extensions: [DeclaredExtension] = []
    package var properties: [DeclaredProperty] = []
    package var methods: [DeclaredMethod] = []
    /// Classes with @NSManaged members in the bodies of functions.
    package var localClasses: [LocalClass] = []
    /// Imports by file path.
    package var imports: [String: [Import]] = [:]

    package init() {}

    /// Adds the declarations of another file.
    package mutating func append(_ other: SourceDeclarations) {
        types += other.types
        extensions += other.extensions
        properties += other.properties
        methods += other.methods
        localClasses += other.localClasses
        imports.merge(other.imports) { $0 + $1 }
    }
}
