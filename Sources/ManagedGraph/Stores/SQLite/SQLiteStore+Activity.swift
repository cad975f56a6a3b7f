// Reports the statements with which a SQLite store is opened or migrated.
import Foundation

extension SQLiteStore {
    /// Runs an operation that opens connections of the store.
    func observed<R>(_ cause: StoreActivity.Cause, _ body: () throws -> R) rethrows -> R {
        try observed(cause, monitor, body)
    }
}
