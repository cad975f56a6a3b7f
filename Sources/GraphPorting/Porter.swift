// Ports the Swift files of a code base, module by module: runs the rules and applies their edits. Called by
// PortingFolder and by tests. Reads and writes no files.
import GraphCodeGeneration

/// Finds and rewrites code that does not compile outside Apple platforms.
package enum Porter {
    /// A file's text.
    package typealias Source = TargetGenerator.SourceFile

    /// The result of porting a file.
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
        /// The superclasses of the classes that the module's models have Xcode generate.
        package var generated: [String: String]

        package init(_ sources: [Source], generated: [String: String] = [:]) {
            self.sources = sources
            self.generated = generated
        }
    }

    /// Facts about a code base beyond its sources.
    package struct Surroundings: Sendable {
        /// Whether its package depends on OpenCombine.
        package var hasOpenCombine = false
        /// Selectors of the policy methods that mapping models call.
        package var policySelectors: Set<String> = []
        /// The ends, as `Cars` in `addToCars`, of the methods for sets that the models have Xcode generate.
        package var generatedSets: Set<String> = []

        package init() {}
    }

    /// The rules that run after AppleOnlyRule, which leaves out code that they can skip.
    ///
    /// CombineUse is determined in between.
    private static var rules: [any PortingRule.Type] {
        [
            ImportRule.self, ObservableObjectRule.self, CloudKitContainerRule.self, ObjectiveCAttributeRule.self,
            KeyPathRule.self, SelectorRule.self, AutoreleasePoolRule.self, FetchRequestCastRule.self,
            ResultsControllerCastRule.self, ArgumentListRule.self, MetatypeRule.self, OptionalCallRule.self,
            InitializerRule.self, EntityInitializerRule.self, RenamedNameRule.self, RuntimeCallRule.self,
            FoundationRule.self, MissingTypeRule.self, BridgingRule.self, PolicyMethodRule.self, ManagedClassRule.self,
            TestCaseRule.self, OverrideRule.self,
        ]
    }

    /// Ports the files of a module.
    ///
    /// - Parameters:
    ///   - sources: The files.
    ///   - generated: The superclasses of the classes that the module's models have Xcode generate.
    /// - Returns: The files in their order, with the findings by line. A file with syntax errors is unchanged.
    package static func port(_ sources: [Source], generated: [String: String] = [:]) -> [Ported] {
        port([Module(sources, generated: generated)])[0]
    }

    /// Ports the modules of a code base.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - surroundings: Facts beyond the sources.
    /// - Returns: The files of each module in their order.
    package static func port(_ modules: [Module], in surroundings: Surroundings = Surroundings()) -> [[Ported]] {
        port(modules, in: surroundings) { _, _ in }
    }

    /// Ports the modules of a code base.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - surroundings: Facts beyond the sources.
    ///   - progress: Called with the number of completed modules and the total.
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
        let allSignatures = Set(prepared.flatMap { $0.index.members.keys })
        var result: [[Ported]] = []
        for (place, (module, (files, index))) in zip(modules, prepared).enumerated() {
            try progress(place, modules.count)
            var index = index
            index.combine = combine
            index.policySelectors = surroundings.policySelectors
            index.generatedSets = surroundings.generatedSets
            index.allSignatures = allSignatures
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

    /// Parses a module's files and marks the parts that are left out.
    private static func prepare(_ module: Module) -> (files: [PortingFile], index: CodeIndex) {
        let files = module.sources.map { PortingFile(path: $0.path, text: $0.text) }
        let index = CodeIndex(files, generated: module.generated)
        for file in files where !file.isParsed {
            file.report(
                "syntax",
                at: file.tree,
                "the file is not Swift that can be parsed, so that nothing in it is rewritten",
                "Compile the project on a Mac first, and correct the compiler's errors in this file."
            )
        }
        AppleOnlyRule.run(on: files.filter(\.isParsed), index: index)
        return (files, index)
    }
}
