// The style sheets, the scripts and the icon of pages. Pages refer to them with a fingerprint, so that browsers can cache
// them and load a new build immediately.
import Foundation
import Hummingbird
import WebSupport

struct Assets: Sendable {
    /// The scripts of a page in execution order, in one file: the last one starts the others.
    static let script = "page.js"
    private static let scripts = [
        "live-source.js", "tables.js", "gestures.js", "forms.js", "drafts.js", "jobs.js", "leaving.js",
        "notes.js", "screens.js", "hood.js", "split.js", "tour.js",
    ]

    /// The style sheets of a page in order, in one file.
    static let style = "page.css"
    private static let styles = [
        "screens.css", "tints.css", "rows.css", "notes.css", "hood.css", "split.css",
        "tour.css",
    ]
    /// The script that all tabs of a browser share.
    static let worker = "events-worker.js"

    static var folder: URL { Bundle.module.bundleURL.appendingPathComponent("Resources") }

    private let files: AssetFiles

    init() throws {
        files = try AssetFiles(folder: Self.folder, bundles: [Self.script: Self.scripts, Self.style: Self.styles])
    }

    func response(_ name: String, to request: Request) -> Response? {
        files.response(name, isVersioned: true, to: request)
    }

    func address(_ name: String) -> String { "/assets/\(name)?\(files.file(name)?.fingerprint ?? "")" }
}
