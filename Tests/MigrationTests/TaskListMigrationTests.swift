// Tests the Task List application's mapping model, as Xcode writes it: read with its embedded models, and used.
import ExpectationSupport
import Foundation
import GraphModelFiles
import GraphSupport
import ManagedGraph
import Testing

struct TaskListMigrationTests {
    private static let target = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/Sources/TaskList").standardizedFileURL

    @Test func aVersion1StoreIsMigratedByTheMappingModelBesideTheModel() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tasklist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "TaskList.sqlite")
        let bundle = Self.target.appending(path: "TaskList.xcdatamodeld")
        let old = try NSManagedObjectModel(readingFrom: bundle.appending(path: "TaskList.xcdatamodel"))
        let new = try NSManagedObjectModel(readingFrom: bundle)
        let times = [700_000_000.0, 700_086_400].map(Date.init(timeIntervalSinceReferenceDate:))
        try use(old, url) { context in
            for time in times { context.add("Event", ["timeStamp": time]) }
            try context.save()
        }
        if let copy = ProcessInfo.processInfo.environment["TASKLIST_FIXTURE"] {
            try FileManager.default.copyItem(at: url, to: URL(filePath: copy))
        }
        let identifier = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)[
            "NSStoreUUID"
        ]
        try use(new, url) { context in
            try expectEqual(context.values("timeStamp", "Task"), times)
            try expectEqual(context.values("taskText", "Task"), ["Event", "Event"])
        }
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)["NSStoreUUID"]
        expectEqual(after as? String, identifier as? String)
    }

    @Test func theModelsInsideOfTheMappingModelAreTheVersionsOfTheApplication() throws {
        let mapping = try MappingReader.read(at: Self.target.appending(path: "EventToTask.xcmappingmodel"))
        let bundle = Self.target.appending(path: "TaskList.xcdatamodeld")
        let versions = try ModelFile.readVersionedModel(at: bundle).versions
        expectEqual(mapping.sourceHashes, versions[0].model.versionHashes())
        expectEqual(mapping.destinationHashes, versions[1].model.versionHashes())
    }

    private func use(_ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void) throws
    {
        try model.withStore(at: url, options: [NSMigratePersistentStoresAutomaticallyOption: true], body)
    }
}
