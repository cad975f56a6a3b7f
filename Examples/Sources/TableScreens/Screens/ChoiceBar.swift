// A group of links above a table, one of which is current: a filter or an order. Created by screens, rendered by
// PageRenderer.

/// Links above a table to other versions of it.
///
/// A group has one purpose: a filter and an order are two groups, and links to other screens belong to neither.
public struct ChoiceBar: Sendable {
    /// The purpose of the group, for screen readers.
    public var label: String
    /// The links, one of which is current.
    public var items: [ToolbarItem]

    /// Creates a group of links.
    ///
    /// - Parameters:
    ///   - label: The purpose of the group, for screen readers.
    ///   - items: The links, one of which is current.
    public init(_ label: String, _ items: [ToolbarItem]) {
        self.label = label
        self.items = items
    }
}
