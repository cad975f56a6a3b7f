// The settings for opening a PostgreSQL store, as values. Built by the persistent store from its URL and options.
import GraphEngine
import GraphSQL

/// The settings for opening a PostgreSQL store.
package struct PostgreSQLConfiguration {
    package var address: DatabaseAddress
    package var isReadOnly = false
    package var watchesChanges = false
    /// Whether batch inserts use COPY, which writes into tables and not into views.
    package var copiesRows = true
    /// The exported snapshot that is read, as long as the transaction that has exported it; nil for the present state.
    package var snapshot: String?
    /// Records statements whenever it is on; nil for none.
    package var monitor: StatementMonitor?
    /// Observes the statements of each connection; nil for none.
    package var observe: (@Sendable (StatementEvent) -> Void)?
    /// The required content of the store.
    package var contract: StoreContract

    package init(_ address: DatabaseAddress, _ contract: StoreContract) {
        self.address = address
        self.contract = contract
    }
}
