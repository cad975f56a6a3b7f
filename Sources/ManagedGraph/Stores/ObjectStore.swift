import Foundation
import GraphEngine

/// A store of the program, which assigns its own keys and receives the objects of each save.
protocol ObjectStore: RowStore {
    /// Assigns keys to new objects.
    func newKeys(for objects: ContiguousArray<NSManagedObject>) throws -> [Int64]
    /// Receives the objects of a save before any row is written.
    func take(_ objects: SavedObjects, in session: any WriteSession) throws
}

extension ObjectStore {
    package var isObjectStore: Bool { true }
}
