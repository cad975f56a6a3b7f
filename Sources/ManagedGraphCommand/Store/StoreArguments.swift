// The arguments shared by the commands for one store.
import ArgumentParser
import Foundation
import ManagedGraphTools

/// The argument that names a store.
struct StoreArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The store: a file, or postgresql://user@host/database?schema=name.", valueName: "store"),
        completion: .stores
    )
    var store: String

    /// Opens the store for reading.
    func open(model: String?) throws -> StoreReading {
        try CommandFailure.naming(store) {
            try StoreReading(StoreLocation.url(store), model: model.map { URL(fileURLWithPath: $0) })
        }
    }
}
