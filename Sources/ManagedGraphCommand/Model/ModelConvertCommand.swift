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
            The extension of the output chooses the form: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a file named \
            contents. If both forms have versions, all versions are written, unless --version names one; otherwise \
            the current version is written. The text of an Xcode model stays the same, byte for byte.

            A mapping model (.xcmappingmodel) is written as a .cdm, with the expressions that the editor leaves out.

            An existing file is replaced only with --force, and never left half written. Information that the new \
            form cannot contain is reported on standard error. Compiled models have no settings of code generation.

            With --json, the output is one object: "file", "output", "versions" (names of the written versions) and \
            "losses".
            """
    )

    @Argument(help: "The model.", completion: .models)
    var model: String

    @Argument(help: ArgumentHelp("The file to write.", valueName: "output"), completion: .models)
    var output: String

    @OptionGroup var options: WritingOptions

    func run() throws {
        try options.write(model, to: output)
    }
}
