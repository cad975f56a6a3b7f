// The faults of a database that tests provoke, and the errors that saves must end in.
import Foundation
import ManagedGraph
import Testing

/// A fault that SQL can cause and take back.
struct DatabaseFault: Sendable, CustomTestStringConvertible {
    let name: String
    /// The statements of the superuser that cause the fault; `$s` stands for the schema, `$d` for the database.
    let cause: String
    /// Those that take it back.
    let repair: String
    /// Apple's code of the error.
    let code: Int
    /// A word of the message.
    let word: String
    /// Whether reads fail too.
    var failsReads = false

    var testDescription: String { name }

    static let all = [
        DatabaseFault(
            name: "permission withdrawn",
            cause: "REVOKE INSERT ON $s.\"Entry\" FROM app",
            repair: "GRANT INSERT ON $s.\"Entry\" TO app",
            code: CocoaError.Code.fileWriteNoPermission.rawValue,
            word: "permission denied"
        ),
        DatabaseFault(
            name: "permission to read withdrawn",
            cause: "REVOKE ALL ON $s.\"Account\", $s.\"Entry\" FROM app",
            repair: "GRANT ALL ON $s.\"Account\", $s.\"Entry\" TO app",
            code: CocoaError.Code.fileWriteNoPermission.rawValue,
            word: "permission denied",
            failsReads: true
        ),
        DatabaseFault(
            name: "read-only database",
            cause: "ALTER DATABASE $d SET default_transaction_read_only = on; \(endSessions)",
            repair: """
                BEGIN READ WRITE; ALTER DATABASE $d RESET default_transaction_read_only; COMMIT; \(endSessions)
                """,
            code: CocoaError.Code.fileWriteNoPermission.rawValue,
            word: "read-only"
        ),
        DatabaseFault(
            name: "column renamed",
            cause: "ALTER TABLE $s.\"Entry\" RENAME COLUMN part TO partly",
            repair: "ALTER TABLE $s.\"Entry\" RENAME COLUMN partly TO part",
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "part"
        ),
        DatabaseFault(
            name: "column dropped",
            cause: "ALTER TABLE $s.\"Entry\" DROP COLUMN mark",
            repair: "ALTER TABLE $s.\"Entry\" ADD COLUMN mark bigint NOT NULL DEFAULT 0",
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "mark"
        ),
        DatabaseFault(
            name: "type of a column changed",
            cause: "ALTER TABLE $s.\"Entry\" ALTER COLUMN mark TYPE interval USING make_interval(secs => mark)",
            repair: "ALTER TABLE $s.\"Entry\" ALTER COLUMN mark TYPE bigint USING extract(epoch FROM mark)::bigint",
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "mark",
            failsReads: true
        ),
        DatabaseFault(
            name: "table renamed",
            cause: "ALTER TABLE $s.\"Entry\" RENAME TO \"Entries\"",
            repair: "ALTER TABLE $s.\"Entries\" RENAME TO \"Entry\"",
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "Entry",
            failsReads: true
        ),
        DatabaseFault(
            name: "table of the history dropped",
            cause: "CREATE TABLE $s.kept AS TABLE $s._change; DROP TABLE $s._change",
            repair: """
                CREATE TABLE $s._change (transaction bigint NOT NULL, position integer NOT NULL, type smallint NOT NULL,
                entity bigint NOT NULL, key bigint NOT NULL, count integer NOT NULL DEFAULT 1, properties bytea, preserved bytea,
                PRIMARY KEY (transaction, position)); INSERT INTO $s._change TABLE $s.kept; DROP TABLE $s.kept;
                ALTER TABLE $s._change OWNER TO app
                """,
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "_change"
        ),
        DatabaseFault(
            name: "row of _store deleted",
            cause: "CREATE TABLE $s.kept AS TABLE $s._store; DELETE FROM $s._store",
            repair: "INSERT INTO $s._store TABLE $s.kept; DROP TABLE $s.kept",
            code: NSPersistentStoreIncompatibleSchemaError,
            word: "_store"
        ),
    ]

    private static let endSessions =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND datname = '$d'"
}
