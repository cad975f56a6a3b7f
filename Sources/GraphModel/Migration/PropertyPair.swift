// A property of the old version and its counterpart in the new one.

/// A property of the destination and its counterpart in the source.
package struct PropertyPair: Sendable, Hashable {
    /// Nil for a new property.
    package var source: String?
    package var destination: String

    package init(source: String?, destination: String) {
        self.source = source
        self.destination = destination
    }
}
