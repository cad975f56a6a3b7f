// The page templates, parsed once at start. Values inserted with two braces are escaped.
import Foundation
import Mustache

struct Templates: Sendable {
    private let library: MustacheLibrary

    init() throws {
        library = try MustacheLibrary(templates: Self.load())
    }

    private static let names = [
        "page", "home", "row", "table", "form", "picture", "alert", "message", "text", "question", "job", "hood",
        "experiments",
    ]

    private static func load() throws -> [String: MustacheTemplate] {
        var templates: [String: MustacheTemplate] = [:]
        for name in names {
            templates[name] = try MustacheTemplate(
                string: String(contentsOf: Assets.url("\(name).mustache"), encoding: .utf8)
            )
        }
        return templates
    }

    func render(_ name: String, _ values: [String: Any]) -> String {
        library.render(values, withTemplate: name) ?? ""
    }
}
