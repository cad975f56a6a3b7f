// The command that the build plugin runs, also usable by hand. It reads files, calls TargetGenerator to generate the
// output, writes files, and prints messages in the format of compilers.
import ArgumentParser
import Foundation
import GraphCodeGeneration
import GraphModelFiles

@main
struct GenerateManagedObjects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-managed-objects",
        abstract: "Writes the Swift classes, accessors and registration of Core Data models.",
        discussion: """
            The build plugin GenerateManagedObjects runs this command. By hand, \
            `generate-managed-objects --model Tasks.xcdatamodeld --classes-only Sources` writes the two files per entity \
            that Xcode writes.
            """
    )

    @Option(name: .customLong("model"), help: "An .xcdatamodeld or .xcdatamodel; may be repeated.")
    var models: [String] = []

    @Option(name: .customLong("mapping"), help: "An .xcmappingmodel; may be repeated.")
    var mappings: [String] = []

    @Option(name: .customLong("module"), help: "The name of the target's module.")
    var module: String = "Main"

    @Option(name: .customLong("source"), help: "A Swift file of the target; may be repeated.")
    var sources: [String] = []

    @Option(
        name: .customLong("dependency"),
        help: "A module that the target imports and the folder of its sources, as Name=folder; may be repeated."
    )
    var dependencies: [String] = []

    @Option(name: .customLong("import"), help: "The module that generated files import: ManagedGraph or CoreData.")
    var importedModule: String?

    @Option(name: .customLong("output"), help: "The folder for the generated files.")
    var output: String?

    @Option(name: .customLong("classes-only"), help: "Write the two files per entity that Xcode writes, here.")
    var classesOnly: String?

    func validate() throws {
        guard (output == nil) != (classesOnly == nil) else {
            throw ValidationError("Say where to write: --output for a build, or --classes-only for classes to keep.")
        }
        if classesOnly != nil, models.isEmpty { throw ValidationError("--classes-only needs a --model.") }
    }

    func run() throws {
        let inputs = try readInputs()
        if let classesOnly {
            try writeClasses(of: inputs.models, to: URL(fileURLWithPath: classesOnly))
        } else if let output {
            try writeTarget(inputs, to: URL(fileURLWithPath: output))
        }
    }

    // MARK: Reading

    /// The contents of the files that the options name.
    private struct Inputs {
        var models: [TargetGenerator.ModelInput]
        var mappings: [TargetGenerator.MappingInput] = []
        var sources: [TargetGenerator.SourceFile] = []
    }

    /// Reads all files, so that one build shows the problems of each.
    private func readInputs() throws -> Inputs {
        var errors: [ModelFileError] = []
        func read<Input>(_ paths: [String], _ body: (String) throws -> Input) rethrows -> [Input] {
            try paths.compactMap { path in
                do { return try body(path) } catch let error as ModelFileError {
                    errors.append(error)
                    return nil
                }
            }
        }
        var inputs = Inputs(models: try read(models, readModel))
        if output != nil {
            inputs.mappings = try read(mappings, readMapping)
            inputs.sources = try read(sources, readSource)
        }
        guard errors.isEmpty else {
            errors.forEach(report)
            throw ExitCode.failure
        }
        return inputs
    }

    private func readModel(_ path: String) throws -> TargetGenerator.ModelInput {
        let model = try ModelFile.readVersionedModel(at: URL(fileURLWithPath: path))
        var contents: [String: String] = [:]
        for version in model.versions { contents[version.name] = try ModelFile.text(of: version.url) }
        return TargetGenerator.ModelInput(model: model, file: path, contents: contents)
    }

    private func readMapping(_ path: String) throws -> TargetGenerator.MappingInput {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return .init(name: name, mapping: try MappingReader.read(at: url))
    }

    private func readText(_ file: URL) throws -> String {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw ModelFileError(file: file.path, reason: "the file cannot be read. Check its permissions.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ModelFileError(file: file.path, reason: "the file is not UTF-8. Save it as UTF-8.")
        }
        return text
    }

    private func readSource(_ path: String) throws -> TargetGenerator.SourceFile {
        .init(path: path, text: try readText(URL(fileURLWithPath: path)))
    }

    private func readDependencies() throws -> [TargetGenerator.Dependency] {
        try dependencies.compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--dependency takes Name=folder, not \(item).") }
            let paths = FileManager.default.enumerator(atPath: parts[1])?.compactMap { $0 as? String } ?? []
            let files = paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
                let file = URL(fileURLWithPath: parts[1]).appendingPathComponent(path)
                return (try? readText(file)).map { TargetGenerator.SourceFile(path: file.path, text: $0) }
            }
            return TargetGenerator.Dependency(module: parts[0], sources: files)
        }
    }

    // MARK: Writing

    private func writeTarget(_ inputs: Inputs, to folder: URL) throws {
        let generator = TargetGenerator(
            module: module,
            models: inputs.models,
            mappings: inputs.mappings,
            sources: inputs.sources,
            dependencies: try readDependencies(),
            importedModule: importedModule ?? "ManagedGraph"
        )
        let result = generator.generate()
        for message in result.messages { print(message) }
        if result.hasErrors { throw ExitCode.failure }
        try write(result.files, to: folder)
    }

    private func writeClasses(of inputs: [TargetGenerator.ModelInput], to folder: URL) throws {
        for input in inputs {
            let name = input.model.currentName
            guard let current = input.model.versions.first(where: { $0.name == name }) else { continue }
            let files = XcodeFiles(model: current.model, module: importedModule ?? "CoreData").files()
            try write(files, to: folder)
            for name in files.keys.sorted() { print(folder.appendingPathComponent(name).path) }
        }
    }

    /// Writes files, except those with unchanged text, so that their dependents are not rebuilt.
    private func write(_ files: [String: String], to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.contents(atPath: file.path) == Data(text.utf8) { continue }
            try Data(text.utf8).write(to: file, options: .atomic)
        }
    }

    /// Prints the problems of a model as a compiler would.
    private func report(_ error: ModelFileError) {
        let all = error.problems.isEmpty ? error.errors : error.problems
        for problem in all {
            if let message = GenerationMessage(problem, file: error.file) { print(message) }
        }
    }
}
