import ArgumentParser

/// The option that selects a version of a model.
struct VersionOption: ParsableArguments {
    @Option(help: ArgumentHelp("The version of the model, instead of the current one.", valueName: "name"))
    var version: String?
}
