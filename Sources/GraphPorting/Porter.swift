// Ports the Swift files of a code base, module by module: runs the rules and applies what they rewrite. Called by PortingFolder and by tests.
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

    /// The files of one module.
    package struct Module: Sendable {
        package var sources: [Source]
        /// The superclasses of classes that the module's models have Xcode write.
        package var generated: [String: String]

        package init(_ sources: [Source], generated: [String: String] = [:]) {
            self.sources = sources
            self.generated = generated
        }
    }

    /// What is known of a code base beside its sources.
    package struct Surroundings: Sendable {
        /// Whether its package names OpenCombine.
        package var hasOpenCombine = false
        /// Selectors that mapping models call on their policies.
        package var policySelectors: Set<String> = []

        package init() {}
    }

    /// Run after AppleOnlyRule, which leaves out what the others need not look into.
    ///
    /// CombineUse is decided between them.
    private static var rules: [any PortingRule.Type] {
        [
            ImportRule.self, ObservableObjectRule.self, CloudKitContainerRule.self, ObjectiveCAttributeRule.self,
            KeyPathRule.self, SelectorRule.self, AutoreleasePoolRule.self, FetchRequestCastRule.self,
            InitializerRule.self, RenamedNameRule.self, RuntimeCallRule.self, PolicyMethodRule.self, OverrideRule.self,
        ]
    }

    /// Ports the files of a module.
    ///
    /// - Parameters:
    ///   - sources: The files.
    ///   - generated: The superclasses of classes that the module's models have Xcode write.
    /// - Returns: The files in their order, with the findings by line. A file that does not parse is as it was.
    package static func port(_ sources: [Source], generated: [String: String] = [:]) -> [Ported] {
        port([Module(sources, generated: generated)])[0]
    }

    /// Ports the modules of a code base.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - surroundings: What is known beside them.
    /// - Returns: The files of each module in their order.
    package static func port(_ modules: [Module], in surroundings: Surroundings = Surroundings()) -> [[Ported]] {
        port(modules, in: surroundings) { _, _ in }
    }

    /// Ports the modules of a code base.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - surroundings: What is known beside them.
    ///   - progress: Called with the number of modules done and of all.
    /// - Returns: The files of each module in their order.
    package static func port(
        _ modules: [Module],
        in surroundings: Surroundings = Surroundings(),
        progress: (Int, Int) throws -> Void
    ) rethrows -> [[Ported]] {
        let prepared = modules.map { prepare($0) }
        let combine = CombineUse.of(
            prepared.map { ($0.files.filter(\.isParsed), $0.index) },
            hasOpenCombine: surroundings.hasOpenCombine
        )
        var result: [[Ported]] = []
        for (place, (module, (files, index))) in zip(modules, prepared).enumerated() {
            try progress(place, modules.count)
            var index = index
            index.combine = combine
            index.policySelectors = surroundings.policySelectors
            let parsed = files.filter(\.isParsed)
            for rule in rules { rule.run(on: parsed, index: index) }
            result.append(
                zip(module.sources, files).map { source, file in
                    Ported(
                        path: source.path,
                        before: source.text,
                        after: file.edits.isEmpty ? source.text : file.result,
                        findings: file.findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
                    )
                }
            )
        }
        return result
    }

    /// Parses a module's files and marks what is left out of them.
    private static func prepare(_ module: Module) -> (files: [PortingFile], index: CodeIndex) {
        let files = module.sources.map { PortingFile(path: $0.path, text: $0.text) }
        let index = CodeIndex(files, generated: module.generated)
        for file in files where !file.isParsed {
            file.report(
                "syntax",
                at: file.tree,
                "the file is not Swift that can be parsed, so that nothing in it is rewritten",
                "Compile the project on a Mac first, and correct what the compiler says of this file."
            )
        }
        AppleOnlyRule.run(on: files.filter(\.isParsed), index: index)
        return (files, index)
    }
}
