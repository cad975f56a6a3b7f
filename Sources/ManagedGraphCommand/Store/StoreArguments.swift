// The arguments shared by the commands for one store.
import ArgumentParser
import Foundation
import ManagedGraphTools

/// The argument that names a store.
struct StoreArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .stores)
    var store: String

    /// Opens the store for reading.
    func open(model: String?) throws -> StoreReading {
        try CommandFailure.naming(store) {
            try StoreReading(URL(fileURLWithPath: store), model: model.map { URL(fileURLWithPath: $0) })
        }
    }
}
