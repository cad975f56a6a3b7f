// One sort key of a fetch, as a value.

/// A key path to sort by, with its direction and the selector that compares two values.
package struct SortTerm: Hashable, Sendable {
    package var keyPath: [String]
    package var ascending: Bool
    /// An Objective-C selector such as `localizedStandardCompare:`; nil and `compare:` mean the natural order.
    package var selector: String?

    package init(_ keyPath: [String], ascending: Bool = true, selector: String? = nil) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.selector = selector
    }
}
