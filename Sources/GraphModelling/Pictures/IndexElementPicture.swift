// A column of a fetch index as an editor shows it. Part of IndexPicture.

/// A column of a fetch index.
public struct IndexElementPicture: Sendable, Hashable, Codable {
    /// The property; nil for an expression.
    public var property: String?
    /// The expression, if there is no property.
    public var expression: String?
    /// Whether the element belongs to an index of ranges instead of a sorted one.
    public var isRTree: Bool
    /// The order of a sorted index.
    public var isAscending: Bool

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - property: The property; nil for an expression.
    ///   - expression: The expression, if there is no property.
    ///   - isRTree: Whether the element belongs to an index of ranges instead of a sorted one.
    ///   - isAscending: The order of a sorted index.
    public init(
        property: String? = nil,
        expression: String? = nil,
        isRTree: Bool,
        isAscending: Bool
    ) {
        self.property = property
        self.expression = expression
        self.isRTree = isRTree
        self.isAscending = isAscending
    }
}
