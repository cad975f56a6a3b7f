// Maps the driver's errors to engine errors. Called by sessions around their work.
import GraphEngine

extension EngineError {
    /// Maps the driver's errors to engine errors; rethrows all others.
    package static func mappingPostgreSQL<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            throw EngineError(error)
        }
    }

    /// Maps an error of PostgreSQL.
    package init(_ error: PostgreSQLError) {
        if error.isOfOtherVersion {
            self = .otherVersion(reason: error.description)
            return
        }
        if error.state == "23502", error.table == "_transaction", error.column == "at" {
            self.init(
                .incompatibleSchema,
                "The row of the table _store is missing.",
                reason: error.description,
                remedy: "Restore the row from a backup. Nothing was written."
            )
            return
        }
        let kind: Kind =
            switch error.kind {
            case .uniqueValue: .uniqueValue
            case _ where error.state == "23503": .missingDestination
            case .serialization, .deadlock, .stalePlan: .retry
            case .lockTimeout, .tooManyConnections: .busy
            case .diskFull: .full
            case .outOfMemory: .outOfMemory
            case .readOnly, .notPermitted: .readOnly
            case .cannotConnect, .wrongPassword, .missingDatabase: .cannotOpen
            case .missingObject: .incompatibleSchema
            case .corrupt: .corrupt
            case .connectionLost, .cancelled, .otherConstraint, .invalidValue, .other: .failed
            }
        self.init(kind, error.message, reason: error.description, remedy: error.remedy)
    }

    /// The failure of a program that has the store open in its former version.
    static func otherVersion(reason: String) -> EngineError {
        EngineError(
            .otherVersion,
            "The store has been migrated to another version of the model since it was opened.",
            reason: reason,
            remedy: "Restart the program with the new version of the model, or add the store to the coordinator again "
                + "with it. Nothing was written."
        )
    }
}

extension PostgreSQLError {
    /// Whether a save was refused because the store is of another version by now: a required value of the store's own
    /// tables is missing then.
    fileprivate var isOfOtherVersion: Bool {
        state == "23502"
            && (table == "_transaction" && column == "number"
                || table == "_store" && column?.hasSuffix("metadata") == true)
    }
}
