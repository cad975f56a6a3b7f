// A button in the bottom bar of a screen, or a link above its table.

/// A button in the toolbar at the bottom.
public struct ToolbarItem: Sendable {
    var title: String
    var label: String
    var address: String
    var isCurrent: Bool

    /// Creates a button that opens an address.
    ///
    /// - Parameters:
    ///   - title: The visible short title.
    ///   - label: The text for screen readers.
    ///   - address: An address created by `Place`.
    ///   - isCurrent: Whether the button leads to the current screen.
    public init(_ title: String, label: String, to address: String, isCurrent: Bool = false) {
        self.title = title
        self.label = label
        self.address = address
        self.isCurrent = isCurrent
    }
}
