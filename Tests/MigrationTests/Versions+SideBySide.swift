// Second versions beside that of a store in a database.
import Foundation
import ManagedGraph
import ManagedGraphPostgreSQL

extension Versions {
    /// The store with another version beside its own.
    ///
    /// - Parameters:
    ///   - number: The other version, counted from 1.
    ///   - url: The address; that of the store if nil.
    ///   - portion: The greatest number of rows that one transaction fills.
    ///   - lockLimit: The time for which transactions are retried.
    /// - Returns: The versions; the store is not changed yet.
    /// - Throws: If the model cannot be read.
    func side(
        _ number: Int,
        at url: URL? = nil,
        portion: Int = 10_000,
        lockLimit: Duration = .seconds(600)
    ) throws -> PostgreSQLVersions {
        var versions = PostgreSQLVersions(at: url ?? store, model: try model(number))
        versions.portion = portion
        versions.lockLimit = lockLimit
        return versions
    }

    /// The address of the store for programs of its second version.
    var views: URL { URL(string: store.absoluteString + "&versions=views") ?? store }
}
