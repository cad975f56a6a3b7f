// The two ways in which a store can use a server. An address or the store itself names one; the engine's statements depend
// on it (Documentation/PostgreSQL.md, "Distributed databases").

/// The features of a server that a store uses.
package enum StoreProfile: String, Sendable, CaseIterable {
    /// All that PostgreSQL has.
    case standard
    /// Only features that Citus, CockroachDB and YugabyteDB have too.
    case distributed
}
