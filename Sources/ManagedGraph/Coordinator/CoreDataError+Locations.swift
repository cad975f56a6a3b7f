// The errors of opening, destroying and replacing stores, which name the store and its location.
import Foundation

extension CoreDataError {
    /// An error of adding a store, with the store's name in its message and its path in its user info.
    ///
    /// Errors of other domains, such as those of a program's own store classes and handlers, are returned unchanged.
    static func adding(_ url: URL?, _ error: any Error) -> any Error {
        let nsError = error as NSError
        guard let url, !url.isDevNull, nsError.domain == NSCocoaErrorDomain,
            nsError.code < 1024 || (134_000..<135_000).contains(nsError.code)
        else { return error }
        let description = nsError.localizedDescription
        let isNamed =
            description.contains(url.lastPathComponent) || nsError.code == NSPersistentStoreIncompatibleVersionHashError
        guard !isNamed || nsError.userInfo[NSFilePathErrorKey] == nil else { return error }
        var info = nsError.userInfo
        info[NSFilePathErrorKey] = info[NSFilePathErrorKey] ?? url.path
        return make(
            nsError.code,
            isNamed ? description : "The store \(url.lastPathComponent) was not added: \(description)",
            remedy: nsError.localizedRecoverySuggestion
                ?? (nsError.code < 1024
                    ? "Check that the folder \(url.deletingLastPathComponent().path) is there and can be written."
                    : nil),
            userInfo: info
        )
    }

    /// An error of destroying or replacing a store, with the operation in its message.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - fate: The operation as a participle, such as `destroyed`.
    ///   - error: The error of a step of it.
    /// - Returns: The error; one of another domain is returned unchanged.
    static func changing(_ url: URL, _ fate: String, _ error: any Error) -> any Error {
        let nsError = error as NSError
        guard nsError.domain == NSCocoaErrorDomain else { return error }
        let isBusy = nsError.code == NSPersistentStoreTimeoutError
        // An error of another file, as the source of a copy, names that file itself.
        let isOfPlace = nsError.userInfo[NSFilePathErrorKey] as? String == url.path
        let cause = isOfPlace ? nsError.userInfo[NSLocalizedFailureReasonErrorKey] as? String : nil
        let reason = isBusy ? "another connection is writing to it" : cause ?? nsError.localizedDescription
        var info = nsError.userInfo
        info[NSFilePathErrorKey] = info[NSFilePathErrorKey] ?? url.path
        return make(
            nsError.code,
            "The store \(url.lastPathComponent) could not be \(fate): \(reason)",
            reason: reason,
            remedy: isBusy
                ? "Try again when it has finished, or give a longer NSPersistentStoreTimeoutOption."
                : nsError.localizedRecoverySuggestion,
            userInfo: info
        )
    }

    /// The error of a new store whose folder cannot be made: with the file system's code, and the part of the path that
    /// is the cause.
    static func noFolder(_ url: URL, _ error: any Error) -> NSError {
        let folder = url.deletingLastPathComponent()
        var above = folder
        var isFolder: ObjCBool = false
        while above.path != "/", !FileManager.default.fileExists(atPath: above.path, isDirectory: &isFolder) {
            above.deleteLastPathComponent()
        }
        let nsError = error as NSError
        let cause =
            isFolder.boolValue || above.path == "/"
            ? "no folder can be made in \(above.path)"
            : "\(above.path) is not a folder"
        return cannotOpen(
            url,
            reason: "the folder \(folder.path) is not there and cannot be made: \(cause)",
            remedy: "Make the folder, check the permissions, or choose another place.",
            code: nsError.domain == NSCocoaErrorDomain ? nsError.code : NSPersistentStoreOpenError,
            underlying: nsError
        )
    }
}
