// A column of a fetch index. Part of `FetchIndex`.

/// One column of a fetch index.
package struct FetchIndexElement: Sendable, Hashable {
    /// The property's name, or nil if the element is an expression.
    package var propertyName: String?
    package var expressionFormat: String?
    package var isRTree: Bool
    package var isAscending: Bool

    package init(
        propertyName: String?,
        expressionFormat: String? = nil,
        isRTree: Bool = false,
        isAscending: Bool = true
    ) {
        self.propertyName = propertyName
        self.expressionFormat = expressionFormat
        self.isRTree = isRTree
        self.isAscending = isAscending
    }
}
