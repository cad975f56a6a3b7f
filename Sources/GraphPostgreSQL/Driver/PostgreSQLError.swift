// A failure reported by the server, by libpq or by the driver itself. Thrown by the driver; the store's sessions map it
// to EngineError.
import CPostgreSQL
import GraphEngine

/// An error of a database, with the statement that caused it.
package struct PostgreSQLError: Error, Hashable, Sendable {
    /// An SQLSTATE: five characters, of which the first two are the class of the error.
    ///
    /// Errors of libpq and of the driver itself have states of the same table.
    package var state: String
    package var message: String
    package var detail: String?
    package var hint: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    /// The function of the server's source that reported the error; unlike the message, it is never translated.
    package var routine: String?
    /// The text of the statement that failed.
    package var statement: String?
    /// The position in its batch of the statement that failed.
    package var index: Int?

    package init(state: String, message: String, detail: String? = nil, hint: String? = nil, statement: String? = nil) {
        self.state = state
        self.message = message
        self.detail = detail
        self.hint = hint
        self.statement = statement
    }

    /// The error in a result of libpq.
    init(_ result: OpaquePointer, statement: String?, index: Int? = nil) {
        func field(_ code: some BinaryInteger) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        message =
            field(graph_pg_message)
            ?? PQresultErrorMessage(result).map { Self.trimmed(String(cString: $0)) } ?? "an unknown error"
        // Errors of libpq itself have no SQLSTATE; they end the connection.
        state = field(graph_pg_sqlstate) ?? "08006"
        detail = field(graph_pg_detail)
        hint = field(graph_pg_hint)
        schema = field(graph_pg_schema)
        table = field(graph_pg_table)
        column = field(graph_pg_column)
        constraint = field(graph_pg_constraint)
        routine = field(graph_pg_routine)
        self.statement = statement
        self.index = index
    }

    /// The kinds of error that callers distinguish.
    package enum Kind: Sendable {
        /// Another row has the values of a unique index.
        case uniqueValue
        /// A concurrent transaction; run the transaction again.
        case serialization, deadlock
        /// The connection's prepared statements are gone or stale; run the transaction again.
        case stalePlan
        /// A lock was not free in time.
        case lockTimeout
        /// The statement was cancelled, or took longer than `statement_timeout`.
        case cancelled
        case diskFull, outOfMemory, tooManyConnections
        /// The server is a standby, or the transaction only reads.
        case readOnly
        /// Reading or writing is not permitted to this user.
        case notPermitted
        /// The connection was lost, or could not be made; a transaction that was being committed has an unknown
        /// outcome.
        case connectionLost, cannotConnect
        case wrongPassword, missingDatabase
        /// A table, a column, a function or a schema does not exist, or has another type.
        case missingObject
        case otherConstraint
        /// A value that the database cannot store.
        case invalidValue
        case corrupt
        case other
    }

    package var kind: Kind {
        switch state {
        case "23505", "23P01": return .uniqueValue
        case "40001", "CR000": return .serialization
        case "40P01": return .deadlock
        case "26000": return .stalePlan
        // "cached plan must not change result type": the code is that of all features that a server lacks.
        case "0A000" where routine == "RevalidateCachedQuery" || message.contains("cached plan"): return .stalePlan
        case "55P03": return .lockTimeout
        case "57014": return .cancelled
        case "53100": return .diskFull
        case "53200": return .outOfMemory
        case "53300": return .tooManyConnections
        case "25006": return .readOnly
        case "42501": return .notPermitted
        case "08001", "08004", "57P03": return .cannotConnect
        case "57P01", "57P02", "57P04", "57P05", "25P03", "25P04": return .connectionLost
        case "3D000": return .missingDatabase
        case "42P01", "42703", "42883", "3F000", "42704", "42804": return .missingObject
        case "XX001", "XX002": return .corrupt
        default: break
        }
        switch state.prefix(2) {
        case "08": return .connectionLost
        case "28": return .wrongPassword
        case "23": return .otherConstraint
        case "22", "54": return .invalidValue
        case "40": return .serialization
        default: return .other
        }
    }

    /// Whether the same transaction may succeed if it is retried immediately.
    package var isRetryable: Bool {
        switch kind {
        case .serialization, .deadlock, .stalePlan: true
        default: false
        }
    }

    /// Whether a row is too large for an index.
    var isOfIndexRow: Bool {
        // The server names the index unless the row is larger than a page. Its messages can be translated.
        state == "54000" && (message.contains("index row") || constraint != nil)
    }

    /// Whether the connection can no longer be used.
    package var endsConnection: Bool { kind == .connectionLost || kind == .cannotConnect }

    /// Advice for the user.
    package var remedy: String? {
        switch kind {
        case .uniqueValue: "An object with these values exists; change the values or set a merge policy."
        case .serialization, .deadlock: "A concurrent transaction was in the way; run the operation again."
        case .stalePlan: "The tables were changed meanwhile; run the operation again."
        case .lockTimeout: "Another transaction holds the rows; try again, or end that transaction."
        case .cancelled: "Run it again, or raise statement_timeout if the server has cancelled it."
        case .diskFull: "The server's disk is full; free some space and save again. Nothing was changed."
        case .outOfMemory: "The server or the program has not enough memory. \(ResultMemory.remedy)"
        case .tooManyConnections:
            "Lower pool= in the address, raise the server's max_connections, or connect through PgBouncer."
        case .readOnly: "The server is a standby or read-only; write to the primary (target_session_attrs=read-write)."
        case .notPermitted: "Grant this user the right, or connect as another user."
        case .connectionLost:
            "Check that the server runs and try again; changes that were not committed are not in the database."
        case .cannotConnect: hint ?? "Check host, port and network in the address, and that the server runs."
        case .wrongPassword:
            hint ?? "Check user and password of the address, the password file, and the server's pg_hba.conf."
        case .missingDatabase: "Create the database (createdb), or correct its name in the address."
        case .missingObject: "The tables differ from the model; undo the change by hand, or migrate the store."
        case .corrupt: "The database is damaged; restore it from a backup."
        case .otherConstraint: "Correct the values; a constraint of the table rejects them."
        case .invalidValue where isOfIndexRow:
            "Shorten the value, or drop the index\(constraint.map { " \($0)" } ?? "")."
        case .invalidValue: "Correct the value; the database cannot store it."
        case .other: hint
        }
    }

    /// A message of libpq on one line: its lines without indentation, separated by semicolons.
    static func trimmed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingPrefix { $0 == "\t" } }.joined(separator: "; ")
    }
}

extension PostgreSQLError: CustomStringConvertible {
    package var description: String {
        var text = "PostgreSQL error \(state): \(message)."
        if let detail { text += " \(detail)" }
        if let remedy { text += " \(remedy)" }
        if let statement { text += " Statement: \(statement)" }
        return text
    }
}
