// A tab of an application's tab bar, as a value. Made by applications; PageRenderer shows which one is current.

/// A tab at the bottom of an application's screens.
public struct Tab: Sendable {
    /// The word.
    public var title: String
    /// The outline above it: an SVG path in a square of 24 by 24, drawn as a line.
    public var icon: String
    /// The path of the screen that it opens; the screens below that path belong to the tab.
    public var path: String

    /// A tab.
    ///
    /// - Parameters:
    ///   - title: the word.
    ///   - icon: the outline above it: an SVG path in a square of 24 by 24, drawn as a line.
    ///   - path: the path of the screen that it opens; the empty one is the tab of all that belongs to no other.
    public init(_ title: String, icon: String, path: String = "") {
        self.title = title
        self.icon = icon
        self.path = path
    }

    /// The place of the tab that a screen's path belongs to: the one with the longest path that leads to it.
    static func current(_ tabs: [Tab], at path: [String]) -> Int? {
        tabs.indices.filter { path.starts(with: Address.components(tabs[$0].path)) }
            .max { Address.components(tabs[$0].path).count < Address.components(tabs[$1].path).count }
    }
}
