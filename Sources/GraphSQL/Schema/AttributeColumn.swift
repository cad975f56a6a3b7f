import GraphModel

/// An attribute's column.
package struct AttributeColumn: Sendable {
    package var column: String
    package var type: AttributeType
    /// Whether the first byte of a value says if the value is in a file.
    package var isExternal = false
}
