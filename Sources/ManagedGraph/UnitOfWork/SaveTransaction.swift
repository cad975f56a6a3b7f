import Foundation
import GraphEngine

/// A save's transaction in one store.
struct SaveTransaction {
    let store: any RowStore
    let session: any WriteSession

    /// Runs a step of the save; errors of the engine are mapped to Apple's.
    func run<R>(_ body: (any WriteSession) throws -> R) throws -> R { try store.mapErrors { try body(session) } }
}
