// `managedgraph model compile`: the counterpart of Xcode's momc. ModelOutput does the work.
import ArgumentParser
import Foundation
import ManagedGraphTools

struct ModelCompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compiles models to the files that programs load.",
        discussion: """
            Compiles an .xcdatamodeld to a .momd with all versions and VersionInfo.plist, a single version to a \
            .mom, and an .xcmappingmodel to a .cdm; the extension of --output may choose the other form of a model. \
            Without --output, the file is written beside the model. A model with errors is not compiled. Apple's \
            frameworks can read the output.

            With --json, the output is one object: "file", "output", "versions" (names of the written versions) and \
            "losses".
            """
    )

    @Argument(help: "The model.", completion: .models)
    var model: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("A .momd or .mom to write, or a folder to write it to.", valueName: "path"),
        completion: .file()
    )
    var output: String?

    @OptionGroup var options: WritingOptions

    func run() throws {
        try options.write(model, to: try place())
    }

    /// The output path: the user's choice, with the model's name appended if that is a folder.
    private func place() throws -> String {
        var path = model
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var source = path as NSString
        if ["contents", "elements"].contains(source.lastPathComponent),
            (source.deletingLastPathComponent as NSString).pathExtension == "xcdatamodel"
        {
            source = source.deletingLastPathComponent as NSString
        }
        let holdsVersions = ["xcdatamodeld", "momd"].contains(source.pathExtension)
        let isMapping = NamedMappingModel.isMapping(model)
        if source.lastPathComponent == "xcmapping.xml" { source = source.deletingLastPathComponent as NSString }
        let kind = isMapping ? ".cdm" : holdsVersions ? ".momd" : ".mom"
        let name = (source.deletingPathExtension as NSString).lastPathComponent + kind
        guard let output else {
            let folder = source.deletingLastPathComponent
            return folder.isEmpty ? name : (folder as NSString).appendingPathComponent(name)
        }
        let form = ModelOutput.Form(URL(fileURLWithPath: output))
        if isMapping ? output.hasSuffix(kind) : form == .compiled || form == .compiledVersions { return output }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue, form == nil {
            return (output as NSString).appendingPathComponent(name)
        }
        throw CommandFailure(
            output,
            isMapping
                ? "a compiled mapping model is a .cdm. Let the name end with that, or name a folder."
                : "a compiled model is a .momd or a .mom. Let the name end with one, or name a folder."
        )
    }
}
