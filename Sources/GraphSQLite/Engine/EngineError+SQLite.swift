// Maps the driver's and the file's errors to engine errors. Called by sessions around their work.
import GraphEngine

extension EngineError {
    /// Maps the driver's errors to engine errors; rethrows all others.
    package static func mapping<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw EngineError(error)
        } catch let error as StoreFileError {
            throw EngineError(error)
        }
    }

    /// Maps an SQLite error.
    package init(_ error: SQLiteError) {
        let kind: Kind =
            switch error.kind {
            case .busy: .busy
            case .uniqueConstraint: .uniqueValue
            case .full: .full
            case .readOnly: .readOnly
            case .cannotOpen: .cannotOpen
            case .corrupt, .notADatabase: .corrupt
            case .outOfMemory: .outOfMemory
            case .inputOutput, .otherConstraint, .interrupted, .misuse, .other: .failed
            }
        self.init(
            kind,
            error.message,
            reason: error.description,
            remedy: error.remedy,
            code: Int(error.extendedCode)
        )
    }

    /// Maps the error of a file that is not a store.
    package init(_ error: StoreFileError) {
        let kind: Kind =
            switch error.kind {
            case .damaged: .damagedFile
            default: .noStore
            }
        self.init(kind, error.reason)
    }
}
