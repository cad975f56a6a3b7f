// Checks of locations and options before a store is opened. Called when a coordinator makes a store, and when a store
// is named by its location.
import Foundation
import GraphArchives
import GraphSQL

extension StoreOptions {
    private static let flags: Set<String> = [
        NSReadOnlyPersistentStoreOption, NSPersistentHistoryTrackingKey, NSValidateXMLStoreOption,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSPersistentStoreForceDestroyOption,
        NSBinaryStoreInsecureDecodingCompatibilityOption, NSSQLiteAnalyzeOption, NSSQLiteManualVacuumOption,
        NSIgnorePersistentStoreVersioningOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSPersistentStoreDeferredLightweightMigrationOptionKey,
    ]
    /// Options with values of other types, and those that have no effect here.
    private static let otherOptions: Set<String> = [
        NSPersistentStoreTimeoutOption, NSSQLitePragmasOption, NSPersistentStoreStagedMigrationManagerOptionKey,
        NSBinaryStoreSecureDecodingClasses, NSPersistentStoreConnectionPoolMaxSizeKey,
        NSPersistentStoreFileProtectionKey, snapshotFile,
    ]

    /// Refuses values of the wrong type, and logs options that no store has.
    ///
    /// - Parameters:
    ///   - options: The options of a SQLite, XML, binary or in-memory store.
    ///   - url: The store's location.
    /// - Throws: 134060 for a value that the option cannot have: ignoring it could open a store for writing that is not
    ///   to be written.
    static func check(_ options: [AnyHashable: Any]?, of url: URL?) throws {
        for (key, value) in options ?? [:] where type(of: value) != NSNull.self {
            guard let name = key.base as? String else { continue }
            let expectation: String?
            switch name {
            case _ where flags.contains(name): expectation = flag(options, name) == nil ? "true or false" : nil
            case NSPersistentStoreTimeoutOption:
                expectation = number(options, name) == nil ? "a number of seconds" : nil
            case NSSQLitePragmasOption:
                expectation =
                    value is [String: NSObject] || value is [String: Any]
                    ? nil : "a dictionary of values by the pragmas' names"
            case NSPersistentStoreStagedMigrationManagerOptionKey:
                expectation = value is NSStagedMigrationManager ? nil : "an NSStagedMigrationManager"
            case _ where otherOptions.contains(name): expectation = nil
            default:
                expectation = nil
                guard name.hasPrefix("NS") else { continue }
                let near = NearestName.of(name, among: Array(flags.union(otherOptions).subtracting([snapshotFile])))
                Diagnosis.log.warning(
                    """
                    The store \(url?.lastPathComponent ?? "") was given the option \(name), which no store has. It has no \
                    effect.\(near.map { " Did you mean \($0)?" } ?? "")
                    """
                )
            }
            guard let expectation else { continue }
            throw CoreDataError.make(
                NSCoreDataError,
                "The option \(name) of the store \(url?.lastPathComponent ?? "") takes \(expectation), and was given "
                    + "\(value) (\(type(of: value))).",
                reason: "the option \(name) has a value of the wrong type",
                remedy: "Give \(expectation).",
                userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:]
            )
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The class that opens stores of a type, if stores of that class can be at these locations.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - urls: Locations.
    /// - Returns: The class.
    /// - Throws: 134000 for an unknown type; 134080 if stores of the type are files and a location is none.
    static func storeClass(_ type: String, at urls: URL...) throws -> NSPersistentStore.Type {
        let storeClass = try storeClass(type)
        for url in urls { try requireFile(url, type, storeClass) }
        return storeClass
    }

    /// Throws for a location that is not a file URL, if stores of the class are files.
    static func requireFile(_ url: URL, _ type: String, _ storeClass: NSPersistentStore.Type) throws {
        guard type != NSInMemoryStoreType, let place = storeClass.place else { return }
        if url.isDevNull, url.isFileURL || url.scheme == nil {
            guard place == .file else { return }
            throw CoreDataError.cannotOpen(
                url,
                reason: "a store of the type \(type) is a file, which cannot be stored in /dev/null",
                remedy: "Give the URL of a file, or use the type \(NSInMemoryStoreType)."
            )
        }
        guard !url.isFileURL else { return }
        throw CoreDataError.cannotOpen(
            url,
            reason: "\(url.absoluteString) is not a file URL, and a store of the type \(type) is a file",
            remedy: "Make the URL of a path with URL(filePath:)."
        )
    }
}

extension CoreDataError {
    /// An error of adding a store, which names the store.
    ///
    /// Errors of programs' own classes, handlers and policies stay as they are.
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

    /// The error of destroying or replacing a store, with that operation in its message.
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

    /// The folder of a new store cannot be made: a code of the file system.
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

extension URL {
    /// Whether there is a file; throws if the file system reports another error.
    package func fileIsThere() throws -> Bool {
        try reportingUnreadable { path throws(CocoaError) in try FilePlacement.isThere(path) }
    }

    /// The stamp of the file; nil if there is none.
    ///
    /// Throws if the file system reports another error.
    func fileStamp() throws -> FileStamp? {
        try reportingUnreadable { path throws(CocoaError) in try FileStamp(path: path) }
    }

    private func reportingUnreadable<R>(_ look: (String) throws(CocoaError) -> R) throws -> R {
        do {
            return try look(path)
        } catch {
            throw CoreDataError.cannotOpen(
                self,
                reason: "the file cannot be examined: \(error.systemReason)",
                remedy: "Check the disk and the permissions of \(deletingLastPathComponent().path), and try again.",
                code: error.code.rawValue,
                underlying: error
            )
        }
    }

    /// Creates the store's parent folder.
    func makeFolderOfStore() throws {
        do {
            try FilePlacement.makeFolder(deletingLastPathComponent().path)
        } catch {
            throw CoreDataError.noFolder(self, error)
        }
    }
}
