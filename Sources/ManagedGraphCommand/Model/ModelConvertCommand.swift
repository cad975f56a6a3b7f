// `managedgraph model convert`: converts a model to another form. The command prints the losses; ModelOutput does the
// work.
import ArgumentParser
import Foundation
import GraphModel
import ManagedGraphTools

struct ModelConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a model in another form.",
        discussion: """
            The name of the output says which form is written: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a file named \
            contents. Between forms that hold versions all of them are written, unless --version names one; the others get \
            the current one. The text of a model of Xcode stays as it is, byte for byte.

            A mapping model (.xcmappingmodel) is written as a .cdm, with the expressions that the editor leaves out.

            Nothing is written over without --force, and nothing is ever half written. What a form has no place for is told \
            on standard error and left out. A compiled model knows nothing of generated code.

            With --json one object is written: "file", "output", "versions" (the names of those written) and "losses".
            """
    )

    @Argument(help: "The model.", completion: .models)
    var model: String

    @Argument(help: ArgumentHelp("The file to write.", valueName: "output"), completion: .models)
    var output: String

    @OptionGroup var version: VersionOption

    @Flag(help: "Replace a file that is there.")
    var force = false

    @Flag(help: "Write one JSON object.")
    var json = false

    func run() throws {
        try ModelWriting(file: model, output: output, version: version.version, isReplacing: force, isJSON: json).run()
    }
}

/// Reads a model and writes it in another form; shared by compiling and converting.
struct ModelWriting {
    let file: String
    let output: String
    let version: String?
    let isReplacing: Bool
    let isJSON: Bool

    func run() throws {
        if NamedMappingModel.isMapping(file) { return try writeMapping() }
        let place = URL(fileURLWithPath: output)
        let writer = try CommandFailure.naming(output) { try ModelOutput(place, isReplacing: isReplacing) }
        let (versions, current) = try CommandFailure.naming(file) {
            let chosen = try NamedModel.read(file, version: version)
            let isOneOfSeveral = ["xcdatamodeld", "momd"].contains(URL(fileURLWithPath: file).pathExtension)
            if isOneOfSeveral, version == nil, writer.holdsVersions {
                return (try NamedModel.readAll(file).map { try $0.output() }, chosen.name)
            }
            // A version from a single-version file is named after the output.
            let name = isOneOfSeveral ? chosen.name : place.deletingPathExtension().lastPathComponent
            return ([try chosen.output(named: name)], name)
        }
        let losses = try CommandFailure.naming(output) { try writer.write(versions, current: current) }
        let console = Output()
        if isJSON {
            try console.line(
                .object([
                    ("file", .string(file)), ("output", .string(output)),
                    ("versions", .array(versions.map { .string($0.name) })),
                    ("losses", .array(losses.map { .string($0.description) })),
                ])
            )
        } else {
            for loss in losses { try console.complain(CommandFailure(file, loss.description)) }
            let names = versions.map(\.name).joined(separator: ", ")
            try console.line("\(output): \(versions.count == 1 ? "version" : "versions") \(names)")
        }
        try console.flush()
    }

    /// Compiles a mapping model.
    private func writeMapping() throws {
        let mapping = try CommandFailure.naming(file) { try NamedMappingModel(file) }
        try CommandFailure.naming(output) {
            try mapping.write(to: URL(fileURLWithPath: output), isReplacing: isReplacing)
        }
        let console = Output()
        if isJSON {
            try console.line(
                .object([
                    ("file", .string(file)), ("output", .string(output)),
                    ("versions", .array([.string(mapping.name)])), ("losses", .array([])),
                ])
            )
        } else {
            try console.line("\(output): mapping model \(mapping.name)")
        }
        try console.flush()
    }
}
