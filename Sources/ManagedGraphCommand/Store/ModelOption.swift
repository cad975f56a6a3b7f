// The arguments shared by the commands for one store. Beside `StoreArguments`.
import ArgumentParser
import Foundation
import ManagedGraphTools

/// A model to read a store with.
struct ModelOption: ParsableArguments {
    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The model the store was made with, where it carries none: an .xcdatamodeld, .xcdatamodel, .momd or .mom.",
            valueName: "file"
        ),
        completion: .models
    )
    var file: String?
}
