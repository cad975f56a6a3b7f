// Generates classes for published models and compiles them.
import Foundation
import GraphCodeGeneration
import GraphModel
import GraphModelFiles
import Testing

/// Models collected beside the repository; absent in a plain checkout.
private enum Corpus {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus/models")

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// The `.xcdatamodel` folders in a fixed order.
    static func models() -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { folder.appendingPathComponent($0) }
    }
}

@Suite("Published models")
struct CorpusTests {
    @Test(
        "The classes of published models compile without a warning, even in modules that are bound to the main actor",
        .enabled(if: Corpus.isPresent, "../shared/corpus is not there")
    )
    func classes() throws {
        let compiler = try Compiler()
        try Self.compileFramework(with: compiler)
        // Every twelfth model by default; all of them take a minute.
        let step = ProcessInfo.processInfo.environment["ALL_MODELS"] == nil ? 30 : 1
        var count = 0
        for (index, url) in Corpus.models().enumerated() where index.isMultiple(of: step) {
            guard var model = try? ModelFile.readModel(at: url) else { continue }
            for index in model.entities.indices {
                model.entities[index].codeGeneration = .classDefinition
                model.entities[index].properties = model.entities[index].properties.map(Self.withoutCustomClass)
            }
            let result = TargetGenerator(module: "Main", models: [Samples.input(model)], sources: []).generate()
            #expect(!result.hasErrors, "\(url.path)")
            for (name, text) in result.files { try compiler.write(text, to: "Main/\(name)") }
            let isolation = count.isMultiple(of: 2) ? [] : ["-default-isolation", "MainActor"]
            let output = try compiler.run(
                ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", "."]
                    + isolation + ["-module-name", "Main"] + result.files.keys.sorted().map { "Main/\($0)" }
            )
            #expect(output.status == 0, "\(url.path): \(output.text.prefix(2000))")
            count += 1
        }
        #expect(count > 0)
    }

    @Test(
        "The files written for users compile without a warning",
        .enabled(if: Corpus.isPresent, "../shared/corpus is not there")
    )
    func files() throws {
        let compiler = try Compiler()
        try Self.compileFramework(with: compiler)
        let step = ProcessInfo.processInfo.environment["ALL_MODELS"] == nil ? 60 : 1
        var count = 0
        for (index, url) in Corpus.models().enumerated() where index.isMultiple(of: step) {
            guard var model = try? ModelFile.readModel(at: url) else { continue }
            for index in model.entities.indices {
                model.entities[index].properties = model.entities[index].properties.map(Self.withoutCustomClass)
            }
            let access = ["public", "internal", "package"][count % 3]
            let files = XcodeFiles(model: model, access: access).files(includingManual: true)
            guard !files.isEmpty else { continue }
            for file in files { try compiler.write(file.text, to: "\(count)/\(file.name)") }
            let output = try compiler.run(
                ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", "."]
                    + ["-package-name", "main", "-module-name", "Main"] + files.map { "\(count)/\($0.name)" }
            )
            #expect(output.status == 0, "\(url.path): \(output.text.prefix(2000))")
            count += 1
        }
        #expect(count > 0)
    }

    private static func compileFramework(with compiler: borrowing Compiler) throws {
        let modules = [
            ("GraphPredicates", FakeFramework.predicates), ("ManagedGraph", FakeFramework.graph),
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

    /// Removes the class of a transformable, which the application declares: the corpus has only models.
    private static func withoutCustomClass(_ property: Property) -> Property {
        guard case .attribute(var attribute) = property else { return property }
        attribute.customClassName = nil
        return .attribute(attribute)
    }
}
