// Ports the Swift files of one module: runs the rules and applies what they rewrite. Called by PortingFolder and by tests.
// Reads and writes no files.

/// Finds and rewrites what does not compile off Apple.
package enum Porter {
    /// A file's text.
    package struct Source: Sendable, Hashable {
        package var path: String
        package var text: String

        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// What has become of a file.
    package struct Ported: Sendable {
        package var path: String
        package var before: String
        package var after: String
        package var findings: [Finding]

        package var isChanged: Bool { before != after }
    }

    /// In this order: what leaves declarations out comes before the rules that look into them.
    private static var rules: [any PortingRule.Type] {
        [
            AppleOnlyRule.self, ImportRule.self, ObservableObjectRule.self, CloudKitContainerRule.self,
            ObjectiveCAttributeRule.self, KeyPathRule.self, SelectorRule.self, AutoreleasePoolRule.self,
            FetchRequestCastRule.self, InitializerRule.self, RenamedCallRule.self, RuntimeCallRule.self,
            OverrideRule.self,
        ]
    }

    /// Ports the files of a module.
    ///
    /// - Parameters:
    ///   - sources: The files.
    ///   - generated: The superclasses of classes that the module's models have Xcode write.
    /// - Returns: The files in their order, with the findings by line. A file that does not parse is as it was.
    package static func port(_ sources: [Source], generated: [String: String] = [:]) -> [Ported] {
        let files = sources.map { PortingFile(path: $0.path, text: $0.text) }
        let index = CodeIndex(files, generated: generated)
        for file in files where !file.isParsed {
            file.report(
                "syntax",
                at: file.tree,
                "the file is not Swift that can be parsed, so that nothing in it is rewritten",
                "Compile the project on a Mac first, and correct what the compiler says of this file."
            )
        }
        let parsed = files.filter(\.isParsed)
        for rule in rules { rule.run(on: parsed, index: index) }
        return zip(sources, files).map { source, file in
            Ported(
                path: source.path,
                before: source.text,
                after: file.edits.isEmpty ? source.text : file.result,
                findings: file.findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            )
        }
    }
}
