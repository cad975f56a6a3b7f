// The options shared by the commands that show the content of a store.
import ArgumentParser
import ManagedGraphTools

/// The form of the output, and the model to read the store with.
struct ReadingOptions: ParsableArguments {
    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var model: ModelOption
    @OptionGroup var colour: ColourOption

    /// Opens the store for a closure that prints its content.
    func read(_ arguments: StoreArguments, _ body: (StoreReading, Output) throws -> Void) throws {
        let output = Output(colour.choice)
        let reading = try arguments.open(model: model.file)
        try CommandFailure.naming(arguments.store) {
            try body(reading, output)
            try output.flush()
        }
    }
}
