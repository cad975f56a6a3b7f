// The pages of the studio: one shell for all addresses. It contains the list of sources and sections as JSON, from which
// studio.js builds the bar and loads the section.
import Foundation
import GraphUpkeep
import Hummingbird
import WebSupport

struct StudioPages: Sendable {
    /// Pictures of a model and of binary values are made in the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

    private let templates: PageTemplates
    let assets: AssetFiles
    private let sections: [any StudioSection]
    private let sources: StudioSources
    /// A link back to the program that embeds the studio.
    private let home: StudioHome?

    init(_ sources: StudioSources, sections: [any StudioSection], home: StudioHome?) throws {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Resources")
        templates = try PageTemplates(folder: folder.appendingPathComponent("templates"))
        assets = try AssetFiles(folder: folder)
        self.sources = sources
        self.sections = sections
        self.home = home
    }

    /// Returns the page of an address below /studio, a redirection to the first section of a source, or the page that
    /// there is no such source.
    func response(path: [String]) -> Response {
        guard let id = path.first else {
            return shell(title: "Studio")
        }
        guard let source = sources.source(id) else {
            return message(
                "No such source",
                "The studio does not show “\(id)”.",
                remedy: "Choose a source on the first page.",
                status: .notFound
            )
        }
        let suitable = sections.filter { $0.suits(source) }
        guard path.count > 1 else {
            return suitable.first.map { .redirect(to: "/studio/\(id)/\($0.name)") }
                ?? shell(title: source.title)
        }
        guard let section = suitable.first(where: { $0.name == path[1] }) else {
            return message(
                "No such section",
                "The section “\(path[1])” does not show \(source.title).",
                remedy: "Choose a section in the bar.",
                status: .notFound
            )
        }
        return shell(title: "\(source.title) – \(section.title)")
    }

    /// Returns a page with only a message.
    func message(_ title: String, _ text: String, remedy: String, status: HTTPResponse.Status) -> Response {
        let values: [String: Any] = [
            "title": title, "text": text, "remedy": remedy, "styles": styles, "icon": address("shell/icon.svg"),
        ]
        return .html(templates.render("message", values), status: status, policy: Self.policy)
    }

    private func shell(title: String) -> Response {
        let values: [String: Any] = [
            "title": title, "styles": styles, "icon": address("shell/icon.svg"),
            "script": address("shell/studio.js"), "state": state.text,
        ]
        return .html(templates.render("page", values), policy: Self.policy)
    }

    private var styles: [String] {
        (["shell"] + sections.map(\.name)).compactMap { name in
            let file = name == "shell" ? "shell/studio.css" : "\(name)/\(name).css"
            return assets.file(file) == nil ? nil : address(file)
        }
    }

    /// An address below the version of all files, to which scripts import each other relatively, so that a browser asks
    /// for each once.
    private func address(_ file: String) -> String { "/studio/assets/\(assets.version)/\(file)" }

    private var state: JSONValue {
        var pairs: [(String, JSONValue)] = [
            ("sources", .array(sources.all.map(describe))),
            (
                "sections",
                .array(sections.map { .object([("name", .string($0.name)), ("title", .string($0.title))]) })
            ),
        ]
        if sources.opening != nil { pairs.append(("opens", .integer(1))) }
        if let home {
            pairs.append(("home", .object([("title", .string(home.title)), ("address", .string(home.address))])))
        }
        return .object(pairs)
    }

    private func describe(_ source: StudioSource) -> JSONValue {
        let names = sections.filter { $0.suits(source) }.map { JSONValue.string($0.name) }
        let (kind, path, isWritable) = source.facts
        return .object([
            ("id", .string(source.id)), ("title", .string(source.title)), ("kind", .string(kind)),
            ("path", .string(path)), ("writable", .integer(isWritable ? 1 : 0)), ("sections", .array(names)),
        ])
    }
}

extension StudioSource {
    /// The kind in one word, the file, and whether objects may be changed.
    var facts: (kind: String, path: String, isWritable: Bool) {
        switch kind {
        case .model(let url): ("model", url.path, false)
        case .store(let url, let writable): ("store", StoreAddress.shown(url), writable)
        case .container(let container, _):
            (
                "container",
                container.persistentStoreCoordinator.persistentStores.first?.url.map(StoreAddress.shown) ?? "",
                container.persistentStoreCoordinator.persistentStores.contains { !$0.isReadOnly }
            )
        }
    }
}
