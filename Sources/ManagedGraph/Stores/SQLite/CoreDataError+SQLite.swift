// The driver's, the file's and the translator's errors in Apple's form.
import Foundation
import GraphSQL
import GraphSQLite

extension CoreDataError {
    /// SQLite's error: 134180, a code of the file system, or 134090 for a store locked too long.
    static func sqlite(_ error: SQLiteError, url: URL?) -> NSError {
        let name = url?.lastPathComponent ?? "in memory"
        let code =
            switch error.kind {
            case .busy: NSPersistentStoreTimeoutError
            case .uniqueConstraint: NSManagedObjectConstraintMergeError
            case .full: NSFileWriteOutOfSpaceCode
            case .readOnly: NSFileWriteNoPermissionCode
            case .cannotOpen, .corrupt, .notADatabase: NSPersistentStoreOpenError
            default: NSSQLiteErrorCode
            }
        var info: [String: Any] = [NSSQLiteErrorDomain: Int(error.extendedCode)]
        if let url { info[NSFilePathErrorKey] = url.path }
        return make(
            code,
            "The store \(name) reported an error: \(error.message)",
            reason: error.description,
            remedy: error.remedy,
            underlying: NSError(domain: NSSQLiteErrorDomain, code: Int(error.extendedCode)),
            userInfo: info
        )
    }

    /// A file that is no store.
    package static func storeFile(_ error: StoreFileError, url: URL?) -> NSError {
        let code =
            switch error.kind {
            case .damaged: NSFileReadCorruptFileError
            default: NSPersistentStoreOpenError
            }
        return cannotOpen(url, reason: error.reason, remedy: error.reason, code: code)
    }

    /// A fetch that cannot be done.
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

let NSFileReadCorruptFileError = CocoaError.Code.fileReadCorruptFile.rawValue
let NSFileReadNoSuchFileCode = CocoaError.Code.fileReadNoSuchFile.rawValue
let NSFileWriteOutOfSpaceCode = CocoaError.Code.fileWriteOutOfSpace.rawValue
let NSFileWriteNoPermissionCode = CocoaError.Code.fileWriteNoPermission.rawValue
let NSSQLiteErrorCode = 134180
