// The option that names the model to read a store with.
import ArgumentParser
import Foundation
import ManagedGraphTools

/// A model to read a store with.
struct ModelOption: ParsableArguments {
    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "The store's model, if the store does not contain it: an .xcdatamodeld, .xcdatamodel, .momd or .mom.",
            valueName: "file"
        ),
        completion: .models
    )
    var file: String?
}
