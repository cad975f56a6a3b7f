// The file and line of a declaration, for messages.

/// A location in a source file.
package struct SourceLocation: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
