// `managedgraph model`: operations on models, which the subcommands implement.
import ArgumentParser

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Works with managed object models.",
        discussion: """
            A model is an .xcdatamodeld or a .momd (the current version, unless --version names another); an \
            .xcdatamodel, of today's Xcode or from before version 4; the contents file in one; a .mom; or a SQLite \
            store, which caches its model. show, check, hash, compile and convert accept mapping models too: an \
            .xcmappingmodel or a .cdm.
            """,
        subcommands: [
            ModelCheckCommand.self, ModelCompileCommand.self, ModelConvertCommand.self, ModelDiffCommand.self,
            ModelHashCommand.self, ModelImportCommand.self, ModelShowCommand.self,
        ]
    )
}
