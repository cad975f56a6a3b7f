// The declarations that SourceReader finds in a target's sources, as values. Beside `SourceDeclarations`.

/// A location in a source file.
package struct SourceLocation: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
