// The page templates of a site, parsed once at start. Values inserted with two braces are escaped.
import Foundation
import Mustache

/// Mustache templates that refer to each other.
public struct PageTemplates: Sendable {
    private let library: MustacheLibrary

    /// Reads the templates of a folder; each is named as its file, without `.mustache`.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: An error if a template cannot be read or parsed.
    public init(folder: URL) throws {
        var templates: [String: MustacheTemplate] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard name.hasSuffix(".mustache") else { continue }
            let template = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            templates[String(name.dropLast(".mustache".count))] = try MustacheTemplate(string: template)
        }
        library = MustacheLibrary(templates: templates)
    }

    /// Renders a template.
    ///
    /// - Parameters:
    ///   - name: The template's name.
    ///   - values: The values that it inserts.
    /// - Returns: The text; empty if there is no such template.
    public func render(_ name: String, _ values: [String: Any]) -> String {
        library.render(values, withTemplate: name) ?? ""
    }
}
