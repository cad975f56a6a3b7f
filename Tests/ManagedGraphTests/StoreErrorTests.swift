// Rejected requests to add a store or to use one by its location, and their errors.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import StackSupport

struct StoreErrors {
    private let place: TestFolder
    private var folder: URL { place.url }

    init() throws {
        place = try TestFolder()
    }

    private func error(
        _ type: String,
        _ url: URL,
        configuration: String? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSError {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: type,
                configurationName: configuration,
                at: url,
                options: options
            )
        }
        #expect(coordinator.persistentStores.isEmpty)
        return try #require(error)
    }

    private func remedy(_ error: NSError) -> String {
        error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String ?? ""
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aLocationThatIsNotAFileURLIsRefused(type: String) throws {
        for address in ["http://example.com/y.sqlite", "y.sqlite", "x-coredata://host/dev/null"] {
            let url = try #require(URL(string: address))
            let failure = try error(type, url)
            expectEqual(failure.code, 134080)
            #expect(failure.localizedDescription.contains(address))
            #expect(
                failure.localizedDescription.contains("not a file URL") && remedy(failure).contains("URL(filePath:)")
            )
            for call in calls(type, url) { #expect(throws: NSError.self, "\(address)") { try call() } }
        }
        #expect(!FileManager.default.fileExists(atPath: "/y.sqlite"))
    }

    /// The methods that take a store's location.
    private func calls(_ type: String, _ url: URL) -> [() throws -> Void] {
        typealias Coordinator = NSPersistentStoreCoordinator
        let coordinator = Coordinator()
        let there = folder.appending(path: "there")
        let kind = NSPersistentStore.StoreType(rawValue: type)
        return [
            { _ = try Coordinator.metadataForPersistentStore(type: kind, at: url) },
            { try Coordinator.setMetadata([:], type: kind, at: url) },
            { try coordinator.destroyPersistentStore(at: url, type: kind) },
            { try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: there, type: kind) },
            { try coordinator.replacePersistentStore(at: there, withPersistentStoreFrom: url, type: kind) },
            { _ = try Coordinator.cachedModelForPersistentStore(at: url) },
        ]
    }

    @Test func aFolderThatCannotBeMadeIsNamedWithTheStoreAndARemedy() throws {
        let file = folder.appending(path: "file")
        try Data("text".utf8).write(to: file)
        for place in ["file/Tasks.sqlite", "file/below/Tasks.sqlite"] {
            let url = folder.appending(path: place)
            let description = NSPersistentStoreDescription(url: url)
            let container = NSPersistentContainer(name: "Tasks", managedObjectModel: TasksModel.make())
            container.persistentStoreDescriptions = [description]
            var failure: NSError?
            container.loadPersistentStores { failure = $1 as NSError? }
            let storeError = try #require(failure)
            expectEqual(storeError.domain, NSCocoaErrorDomain)
            #expect(storeError.localizedDescription.contains("Tasks.sqlite"), "\(storeError)")
            #expect(storeError.localizedDescription.contains("file is not a folder"), "\(storeError)")
            expectEqual(storeError.userInfo[NSFilePathErrorKey] as? String, url.path)
            #expect(!remedy(storeError).isEmpty)
        }
    }

    #if os(Linux)
        @Test(arguments: [FileProtectionType.none, .complete])
        func aFolderWithoutPermissionToWriteIsReportedWithApplesCode(protection: FileProtectionType) throws {
            // Not even root can create files here.
            let url = URL(filePath: "/sys/Tasks.sqlite")
            let failure = try error(NSSQLiteStoreType, url, options: [NSPersistentStoreFileProtectionKey: protection])
            expectEqual(failure.domain, NSCocoaErrorDomain)
            expectEqual(failure.code, NSFileWriteNoPermissionError)
            expectEqual(failure.userInfo[NSFilePathErrorKey] as? String, url.path)
            #expect(failure.localizedDescription.contains("Tasks.sqlite") && !remedy(failure).isEmpty, "\(failure)")
        }
    #endif

    @Test func eachErrorOfAddingNamesTheStore() throws {
        let url = folder.appending(path: "Named.sqlite")
        let textFile = folder.appending(path: "Text.sqlite")
        try Data("no store".utf8).write(to: textFile)
        let errors = [
            try error("Unknown", url), try error(NSSQLiteStoreType, url, configuration: "None"),
            try error(NSSQLiteStoreType, url, options: [NSReadOnlyPersistentStoreOption: true]),
            try error(NSSQLiteStoreType, url, options: [NSSQLitePragmasOption: ["synchronous": "a; b"]]),
            try error(NSXMLStoreType, url, options: [NSReadOnlyPersistentStoreOption: true]),
            try error(NSSQLiteStoreType, textFile), try error(NSXMLStoreType, textFile),
            try error(NSBinaryStoreType, textFile),
            try error(NSSQLiteStoreType, folder),
        ]
        for failure in errors {
            let path = try #require(failure.userInfo[NSFilePathErrorKey] as? String, "\(failure)")
            let name = URL(filePath: path).lastPathComponent
            #expect(failure.localizedDescription.contains(name), "\(failure)")
        }
    }

    @Test func anOptionWithAValueOfTheWrongTypeIsRefused() throws {
        let url = folder.appending(path: "Tasks.sqlite")
        let wrong: [(String, Any)] = [
            (NSReadOnlyPersistentStoreOption, Date()), (NSPersistentHistoryTrackingKey, Date()),
            (NSPersistentStoreTimeoutOption, "soon"),
            (NSSQLitePragmasOption, "journal_mode"),
            (NSPersistentStoreStagedMigrationManagerOptionKey, "manager"),
        ]
        for (key, value) in wrong {
            let failure = try error(NSSQLiteStoreType, url, options: [key: value])
            expectEqual(failure.code, NSCoreDataError, "\(failure)")
            #expect(failure.localizedDescription.contains(key), "\(failure)")
            #expect(failure.localizedDescription.contains("Tasks.sqlite") && !remedy(failure).isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        // Values of the types in property lists and of Apple's classes.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TasksModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: [
                NSPersistentHistoryTrackingKey: NSNumber(value: true),
                NSPersistentStoreTimeoutOption: NSNumber(value: 3),
                NSMigratePersistentStoresAutomaticallyOption: "YES", NSReadOnlyPersistentStoreOption: NSNull(),
                NSSQLitePragmasOption: ["synchronous": "FULL"] as NSDictionary, "MyOwnOption": Date(),
            ]
        )
        #expect(store.options?["MyOwnOption"] is Date && !store.isReadOnly)
    }

    @Test func aBatchRequestsErrorNamesTheValueThatDoesNotFit() throws {
        let stack = try Stack()
        try stack.context.run { () throws in
            let request = NSBatchInsertRequest(entityName: "Task", objects: [["text": "a", "priority": 100_000]])
            let error = #expect(throws: NSError.self) { try stack.context.execute(request) }
            expectEqual(error?.localizedDescription.contains("100000"), true, "\(String(describing: error))")
            expectEqual(error?.localizedDescription.contains("Task.priority"), true)
            let update = NSBatchUpdateRequest(entityName: "Task")
            update.propertiesToUpdate = ["dueDate": "tomorrow"]
            let updateError = #expect(throws: NSError.self) { try stack.context.execute(update) }
            expectEqual(
                updateError?.localizedDescription.contains("tomorrow"),
                true,
                "\(String(describing: updateError))"
            )
        }
    }
}
