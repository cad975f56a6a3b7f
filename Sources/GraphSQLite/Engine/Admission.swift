// The services that an SQLite engine requires from its host, beyond those of all engines. Beside `SQLiteHost`.
import GraphEngine

/// The outcome of admitting a file that may be of another version.
package enum Admission { case untouched, migrated }
