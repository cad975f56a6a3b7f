// The profile of a PostgreSQL store, as programs choose it in a store's description or options.
import Foundation
import ManagedGraph

/// The features of a server that a store in PostgreSQL uses.
///
/// A store keeps the profile that it was created with.
public enum PostgreSQLProfile: String, Sendable, CaseIterable {
    /// All that a PostgreSQL server has.
    case standard
    /// Only features that distributed databases with PostgreSQL's protocol (Citus, CockroachDB, YugabyteDB) have too.
    ///
    /// Root entities can name a property under `SQLDistributionColumn` in their user info, which every uniqueness constraint
    /// must contain then.
    case distributed
}

/// The option of a store with its ``PostgreSQLProfile``, or the name of one; without it the store has the standard profile.
///
/// Opening a store fails with 134080 if it was created with another profile.
public let NSPostgreSQLProfileOption = "NSPostgreSQLProfileOption"

extension NSPersistentStoreDescription {
    /// The profile of a store in PostgreSQL; nil for that of the store itself, and for the standard one of a new store.
    public var postgreSQLProfile: PostgreSQLProfile? {
        get { (options[NSPostgreSQLProfileOption] as? NSString).flatMap { PostgreSQLProfile(rawValue: String($0)) } }
        set { setOption(newValue.map { NSString(string: $0.rawValue) }, forKey: NSPostgreSQLProfileOption) }
    }
}
