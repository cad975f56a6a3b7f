// One column of a row. Part of `StoredRow`.

extension StoredRow {
    /// A column with its value.
    public struct Column: Sendable, Hashable {
        /// The name of the column.
        public let name: String
        /// The value as text: a number, a quoted text, `x'…'` for data, or `NULL`.
        ///
        /// Texts over 80 characters and data over 16 bytes are shortened.
        public let value: String
    }
}
