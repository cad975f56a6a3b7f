// Statements as people read them, with their values in their places. For plans and logs; what is run is bound.

extension SQLStatement {
    /// The statement with its values as literals.
    ///
    /// O(n).
    package func printed(in dialect: any SQLDialect) -> String {
        dialect.marks.replaceMarks(in: text) { bindings.indices.contains($0) ? dialect.literal(bindings[$0]) : nil }
    }
}
