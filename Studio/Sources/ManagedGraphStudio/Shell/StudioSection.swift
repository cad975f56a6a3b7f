// The interface between the shell and the sections of the studio. The shell uses nothing else of a section.
import Hummingbird

/// One tab of the studio.
///
/// Its routes are below `/studio/api/SOURCE/<name>`, its script is `Resources/<name>/<name>.js`, and its style sheet, if it
/// has one, `Resources/<name>/<name>.css`. `Resources/shell/studio.js` describes the interface of the script.
protocol StudioSection: Sendable {
    /// The name in addresses.
    var name: String { get }
    /// The title of the tab.
    var title: String { get }

    /// Returns whether the section can show a source.
    func suits(_ source: StudioSource) -> Bool

    /// Adds the routes; a handler uses `context.source`, and may throw `StudioError` or any other error.
    func addRoutes(to group: RouterGroup<StudioRequestContext>)

    /// Ends event streams and work, when the server stops.
    func close()
}

extension StudioSection {
    func close() {}
}
