// The style sheet, the scripts and the icon, read once at start. Pages refer to them with a fingerprint, so that
// browsers can cache them and load a new build at once.
import Foundation

struct Assets: Sendable {
    struct File: Sendable {
        var data: Data
        var type: String
        var fingerprint: String
    }

    /// The scripts of a page in execution order: the last one starts the others.
    static let scripts = [
        "live-source.js", "tables.js", "gestures.js", "forms.js", "drafts.js", "jobs.js", "leaving.js",
        "notes.js", "screens.js", "hood.js", "split.js", "tour.js",
    ]

    /// The style sheets of a page in order.
    static let styles = [
        "screens.css", "tints.css", "rows.css", "notes.css", "hood.css", "split.css",
        "tour.css",
    ]
    /// The script that all tabs of a browser share.
    static let worker = "events-worker.js"

    private let files: [String: File]

    init() throws {
        var files: [String: File] = [:]
        let scripts = (Self.scripts + [Self.worker]).map { ($0, "text/javascript; charset=utf-8") }
        let styles = Self.styles.map { ($0, "text/css; charset=utf-8") }
        for (name, type) in scripts + styles + [("icon.svg", "image/svg+xml")] {
            let data = try Data(contentsOf: Self.url(name))
            files[name] = File(data: data, type: type, fingerprint: Self.fingerprint(data))
        }
        self.files = files
    }

    func file(_ name: String) -> File? { files[name] }

    func address(_ name: String) -> String { "/assets/\(name)?\(files[name]?.fingerprint ?? "")" }

    static func url(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Resources").appendingPathComponent(name)
    }

    /// FNV-1a; not for security.
    private static func fingerprint(_ data: Data) -> String {
        String(data.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 36)
    }
}
