// A tab of an application's tab bar, as a value. Created by applications; PageRenderer marks the current one.

/// A tab at the bottom of an application's screens.
public struct Tab: Sendable {
    /// The title.
    public var title: String
    /// The icon above it: an SVG path in a square of 24 by 24, drawn as an outline.
    public var icon: String
    /// The path of the tab's first screen; the screens below that path belong to the tab.
    public var path: String

    /// Creates a tab.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - icon: The icon above it: an SVG path in a square of 24 by 24, drawn as an outline.
    ///   - path: The path of the tab's first screen; a tab with an empty path contains all screens without another tab.
    public init(_ title: String, icon: String, path: String = "") {
        self.title = title
        self.icon = icon
        self.path = path
    }

    /// Returns the index of the tab that a screen belongs to: the one with the longest matching path.
    static func current(_ tabs: [Tab], at path: [String]) -> Int? {
        tabs.indices.filter { path.starts(with: Address.components(tabs[$0].path)) }
            .max { Address.components(tabs[$0].path).count < Address.components(tabs[$1].path).count }
    }
}
