// The error for a save that some stores have committed and another has not.
import Foundation
import GraphEngine

/// The error of a store that could not commit after others had.
struct IncompleteSave: Error, @unchecked Sendable {
    /// The indexes of the stores that have committed.
    let committed: Set<Int32>
    let stores: [any RowStore]
    let error: NSError

    /// The error that the save throws: 134040.
    var cocoaError: NSError {
        let failed = stores.filter { !committed.contains($0.index) }
        let names = failed.map { $0.url?.lastPathComponent ?? $0.identifier ?? "" }.joined(separator: ", ")
        return CoreDataError.make(
            NSPersistentStoreIncompleteSaveError,
            "The save reached some stores and not others: \(names) could not commit. \(error.localizedDescription)",
            remedy: "The changes of the other stores are saved; save the rest again once the cause is gone.",
            underlying: error,
            userInfo: [NSAffectedStoresErrorKey: failed]
        )
    }
}
