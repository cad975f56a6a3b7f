import GraphModel

/// An attribute's column.
package struct AttributeColumn: Sendable {
    package var column: String
    package var type: AttributeType
    /// Whether the first byte of a value marks values that are in files.
    package var isExternal = false
}
