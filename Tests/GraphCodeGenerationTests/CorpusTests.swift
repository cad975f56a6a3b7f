// Generates classes for the collections' models and compiles them.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphCodeGeneration
import GraphModel
import GraphModelFiles
import Testing

@Suite("Collected models")
struct CorpusTests {
    /// All fixtures, and some of the published models: each takes a second.
    private static func models(every step: Int) -> [URL] { Collections.sample(.model, oneIn: step).map(\.url) }

    @Test("The classes of models compile without a warning, even in modules that are bound to the main actor")
    func classes() throws {
        let compiler = try Compiler()
        try Self.compileFramework(with: compiler)
        var count = 0
        for url in Self.models(every: 30) {
            guard var model = try? ModelFile.readModel(at: url) else { continue }
            for index in model.entities.indices {
                model.entities[index].codeGeneration = .classDefinition
                model.entities[index].properties = model.entities[index].properties.map(Self.withoutCustomClass)
            }
            let result = TargetGenerator(module: "Main", models: [Samples.input(model)], sources: []).generate()
            #expect(!result.hasErrors, "\(url.path)")
            for (name, text) in result.files { try compiler.write(text, to: "Main/\(name)") }
            let isolation = count.isMultiple(of: 2) ? [] : ["-default-isolation", "MainActor"]
            let output = try Self.check(
                result.files.keys.sorted().map { "Main/\($0)" },
                isolation,
                with: compiler
            )
            expectEqual(output.status, 0, "\(url.path): \(output.text.prefix(2000))")
            count += 1
        }
        #expect(count >= Collections.least(5, fixtures: 10))
    }

    @Test("The files written for users compile without a warning")
    func files() throws {
        let compiler = try Compiler()
        try Self.compileFramework(with: compiler)
        var count = 0
        for url in Self.models(every: 60) {
            guard var model = try? ModelFile.readModel(at: url) else { continue }
            for index in model.entities.indices {
                model.entities[index].properties = model.entities[index].properties.map(Self.withoutCustomClass)
            }
            let access = ["public", "internal", "package"][count % 3]
            let files = XcodeFiles(model: model, access: access).files(includingManual: true)
            guard !files.isEmpty else { continue }
            for file in files { try compiler.write(file.text, to: "\(count)/\(file.name)") }
            let output = try Self.check(
                files.map { "\(count)/\($0.name)" },
                ["-package-name", "main"],
                with: compiler
            )
            expectEqual(output.status, 0, "\(url.path): \(output.text.prefix(2000))")
            count += 1
        }
        #expect(count >= Collections.least(2, fixtures: 10))
    }

    /// Checks the types of a module, in one process for all its files.
    private static func check(
        _ files: [String],
        _ options: [String],
        with compiler: borrowing Compiler
    ) throws -> Compiler.Output {
        let strict = ["-wmo", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
        return try compiler.run(
            ["swiftc", "-typecheck"] + strict + ["-I", ".", "-module-name", "Main"] + options + files
        )
    }

    private static func compileFramework(with compiler: borrowing Compiler) throws {
        let modules = [
            ("GraphPredicates", FakeFramework.predicates), ("ManagedGraph", try FakeFramework.graph()),
            ("CoreData", "@_exported import ManagedGraph\n"),
        ]
        for (module, text) in modules {
            try compiler.write(text, to: "\(module).swift")
            let output = try compiler.run(
                ["swiftc", "-swift-version", "6", "-parse-as-library", "-I", ".", "-module-name", module]
                    + ["-emit-module", "\(module).swift"]
            )
            try #require(output.status == 0, "\(output.text)")
        }
    }

    /// Removes the class of a transformable, which the application declares: the collections have only models.
    private static func withoutCustomClass(_ property: Property) -> Property {
        guard case .attribute(var attribute) = property else { return property }
        attribute.customClassName = nil
        return .attribute(attribute)
    }
}
