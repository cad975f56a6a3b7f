// The part of a store's interface that engines and persistent stores share: the coordinator asks the store, which asks
// its engine if it has one.
import Foundation

/// A source of rows, and its knowledge of how they are stored.
package protocol RowSource: AnyObject {
    func close()
    /// Takes back a leased session.
    func giveBack(_ session: any ReadSession)
    /// Splits a fetch for which a session has thrown `needsMemory` into a fetch of rows and a remainder.
    func split(_ fetch: StoreFetch) throws -> SplitStoreFetch
    /// The entity with a number stored in rows; nil if no entity has it.
    func entityIndex(number: Int64) -> Int?
    /// The number that rows store for an entity.
    func entityNumber(_ layout: EntityLayout) -> Int64
    /// Whether a to-many relationship is saved as pairs (`StoreChanges.joins`).
    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// Whether the owner is saved in the members' rows (`StoreChanges.owners` and `releases`): a to-many relationship
    /// without an inverse or pairs.
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool
    /// The bytes of a large value in an external file named by its row; nil if the file does not exist.
    ///
    /// Throws if the file exists and cannot be read.
    func externalData(named name: String) throws -> Data?
}

extension RowSource {
    package func externalData(named name: String) throws -> Data? { nil }
}
