// The options shared by the commands that write a model in another form.
import ArgumentParser

/// The version to write, and the treatment of a file that exists.
struct WritingOptions: ParsableArguments {
    @OptionGroup var version: VersionOption

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Write one JSON object.")
    var json = false

    /// Writes a model.
    func write(_ model: String, to output: String) throws {
        try ModelWriting(file: model, output: output, version: version.version, isReplacing: force, isJSON: json).run()
    }
}
