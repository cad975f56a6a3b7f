// Readable statements with their values in place. For plans and logs; executed statements are bound.

extension SQLStatement {
    /// The statement with its values as literals.
    ///
    /// O(n).
    package func printed(in dialect: any SQLDialect) -> String {
        dialect.marks.replaceMarks(in: text) { bindings.indices.contains($0) ? dialect.literal(bindings[$0]) : nil }
    }
}
