// Maps the errors of engines and of store files to Apple's errors. Called at the end of each session operation.
import Foundation
import GraphEngine
import GraphSQLite

extension CoreDataError {
    /// Maps errors thrown by engines to Apple's errors; rethrows all others unchanged.
    @inline(__always)
    package static func mapping<R>(_ url: @autoclosure () -> URL?, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            throw published(error, url())
        }
    }

    /// The public error for an engine's error.
    @inline(never)
    static func published(_ error: any Error, _ url: URL?) -> any Error {
        switch error {
        case let error as EngineError: engine(error, url: url)
        case let error as TranslationError: translation(error)
        case let error as SQLiteError: engine(EngineError(error), url: url)
        case let error as StoreFileError: engine(EngineError(error), url: url)
        default: error
        }
    }

    /// Maps an engine's error to 134180, a file system code, or 134090 for a store that stayed locked too long.
    private static func engine(_ error: EngineError, url: URL?) -> NSError {
        switch error.kind {
        case .busy: reported(error, NSPersistentStoreTimeoutError, url)
        case .retry: reported(error, NSPersistentStoreTimeoutError, url, info: [collisionKey: true])
        case .missingDestination: reported(error, NSManagedObjectReferentialIntegrityError, url)
        case .invalidValue:
            make(
                error.code ?? NSManagedObjectValidationError,
                error.message,
                reason: error.reason,
                remedy: error.remedy
            )
        case .uniqueValue: reported(error, NSManagedObjectConstraintMergeError, url)
        case .full: reported(error, NSFileWriteOutOfSpaceCode, url)
        case .readOnly: reported(error, NSFileWriteNoPermissionCode, url)
        case .cannotOpen, .corrupt: reported(error, NSPersistentStoreOpenError, url)
        case .failed, .outOfMemory: reported(error, NSSQLiteErrorCode, url)
        case .closed: cannotOpen(url, reason: error.message, remedy: error.remedy ?? error.message)
        case .missing:
            cannotOpen(
                url,
                reason: error.message,
                remedy: error.remedy ?? error.message,
                code: NSFileReadNoSuchFileCode
            )
        case .noStore: cannotOpen(url, reason: error.message, remedy: error.remedy ?? error.message)
        case .damagedFile:
            cannotOpen(
                url,
                reason: error.message,
                remedy: error.remedy ?? error.message,
                code: NSFileReadCorruptFileError
            )
        case .moved:
            make(
                NSPersistentStoreSaveError,
                error.message,
                remedy: error.remedy,
                userInfo: [NSFilePathErrorKey: url?.path ?? ""]
            )
        case .incompatibleSchema:
            make(NSPersistentStoreIncompatibleSchemaError, error.message, reason: error.reason, remedy: error.remedy)
        case .otherVersion:
            make(
                NSPersistentStoreIncompatibleVersionHashError,
                error.message,
                reason: error.reason,
                remedy: error.remedy,
                userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:]
            )
        case .unsaved: make(NSPersistentStoreSaveError, error.message, reason: error.reason, remedy: error.remedy)
        case .file:
            make(error.code ?? NSFileWriteOutOfSpaceCode, error.message, reason: error.reason, remedy: error.remedy)
        }
    }

    /// In the user info of the error for a transaction that gave way to another one.
    static let collisionKey = "ManagedGraphCollision"

    /// An error that the engine itself reported.
    private static func reported(
        _ error: EngineError,
        _ code: Int,
        _ url: URL?,
        info: [String: Any] = [:]
    ) -> NSError {
        var info = info
        var underlying: NSError?
        if let engineCode = error.code {
            info[NSSQLiteErrorDomain] = engineCode
            underlying = NSError(domain: NSSQLiteErrorDomain, code: engineCode)
        }
        if let url { info[NSFilePathErrorKey] = url.path }
        return make(
            code,
            "The store \(url?.lastPathComponent ?? "in memory") reported an error: \(error.message)",
            reason: error.reason,
            remedy: error.remedy,
            underlying: underlying,
            userInfo: info
        )
    }

    /// The error for a file that is not a store.
    package static func storeFile(_ error: StoreFileError, url: URL?) -> NSError {
        engine(EngineError(error), url: url)
    }

    /// The error for a fetch that cannot be translated.
    static func translation(_ error: TranslationError) -> NSError {
        make(
            NSCoreDataError,
            error.description,
            reason: error.reason,
            remedy: error.remedy,
            userInfo: ["NSUnderlyingTranslationError": error]
        )
    }
}

extension NSError {
    /// Whether the store has rolled a transaction back in favour of another one, so that it can be retried.
    var isCollision: Bool { userInfo[CoreDataError.collisionKey] as? Bool == true }
}

let NSFileReadCorruptFileError = CocoaError.Code.fileReadCorruptFile.rawValue
let NSFileReadNoSuchFileCode = CocoaError.Code.fileReadNoSuchFile.rawValue
let NSFileWriteOutOfSpaceCode = CocoaError.Code.fileWriteOutOfSpace.rawValue
let NSFileWriteNoPermissionCode = CocoaError.Code.fileWriteNoPermission.rawValue
let NSSQLiteErrorCode = 134180
