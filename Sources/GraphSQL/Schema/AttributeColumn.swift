import GraphModel

/// An attribute's column.
package struct AttributeColumn: Sendable {
    package var column: String
    package var type: AttributeType
    /// Whether a first byte of the value says that it stands in a file.
    package var isExternal = false
}
