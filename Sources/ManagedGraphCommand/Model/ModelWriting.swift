// Writes a model in another form and prints the losses, for the commands that compile and convert.
import ArgumentParser
import Foundation
import GraphModel
import ManagedGraphTools

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
                    ("file", .string(StoreLocation.shown(file))), ("output", .string(output)),
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
                    ("file", .string(StoreLocation.shown(file))), ("output", .string(output)),
                    ("versions", .array([.string(mapping.name)])),
                    ("losses", .array(mapping.losses.map { .string($0) })),
                ])
            )
        } else {
            for loss in mapping.losses { try console.complain(CommandFailure(file, loss)) }
            try console.line("\(output): mapping model \(mapping.name)")
        }
        try console.flush()
    }
}
