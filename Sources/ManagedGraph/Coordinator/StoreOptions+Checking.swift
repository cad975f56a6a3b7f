// Checks the options of a store before it is opened. Called when a coordinator makes a store.
import Foundation
import GraphSQL

extension StoreOptions {
    /// The options that are true or false.
    private static let flags: Set<String> = [
        NSReadOnlyPersistentStoreOption, NSPersistentHistoryTrackingKey, NSValidateXMLStoreOption,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSPersistentStoreForceDestroyOption,
        NSBinaryStoreInsecureDecodingCompatibilityOption, NSSQLiteAnalyzeOption, NSSQLiteManualVacuumOption,
        NSIgnorePersistentStoreVersioningOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSPersistentStoreDeferredLightweightMigrationOptionKey,
    ]
    /// The options with values of other types, and those of Apple's that have no effect here.
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
