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
