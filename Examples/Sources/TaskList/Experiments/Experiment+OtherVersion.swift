// The experiment with a store of model version 1: error 134100, and the migration by the mapping model. It uses a store of
// its own in a temporary folder.
import CoreData
import Foundation
import TableScreens

extension Experiment {
    /// Opens a store of the first model version without and with migration.
    static let otherVersion = Experiment(
        name: "other-version",
        title: "Open a store of another version",
        text: "Version 1 of this model has an Event with a time, version 2 a Task with a text and a time. A store of "
            + "version 1, with three events, is opened with version 2: first as it is, then with migration.",
        button: "Open the Old Store"
    ) { _ in
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("version-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("TaskList.sqlite")
        try makeOldStore(at: url)
        var lines = [Line(.step, "A store of version 1 is made, with three objects of Event.")]
        lines += try openAsItIs(url)
        lines += try migrate(url)
        return lines
    }

    /// Version 1 of the model, as a program of that time had it.
    private static var oldModel: NSManagedObjectModel {
        let time = NSAttributeDescription()
        time.name = "timeStamp"
        time.attributeType = .dateAttributeType
        time.isOptional = true
        let event = NSEntityDescription()
        event.name = "Event"
        event.managedObjectClassName = "NSManagedObject"
        event.properties = [time]
        let model = NSManagedObjectModel()
        model.entities = [event]
        return model
    }

    private static func makeOldStore(at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: oldModel)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for hour in 1...3 {
                let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
                event.setValue(Date(timeIntervalSinceNow: Double(-hour) * 3_600), forKey: "timeStamp")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private static func openAsItIs(_ url: URL) throws -> [Line] {
        var lines = [Line(.step, "It is opened with version 2, without migration.")]
        let coordinator = NSPersistentContainer(name: "TaskList").persistentStoreCoordinator
        do {
            let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            try coordinator.remove(store)
            lines.append(Line(.bad, "The store was opened."))
        } catch let error as NSError {
            lines.append(Line(.bad, "Error \(error.code): \(error.localizedDescription)"))
            if let reason = error.userInfo["reason"] as? String, !error.localizedDescription.contains(reason) {
                lines.append(Line(.aside, reason))
            }
            let metadata = error.userInfo["metadata"] as? [String: Any] ?? [:]
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
            for (entity, hash) in hashes.sorted(by: { $0.key < $1.key }) {
                let digits = hash.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                lines.append(Line(.aside, "The store’s metadata: entity \(entity) with the version hash \(digits)…"))
            }
        }
        return lines
    }

    private static func migrate(_ url: URL) throws -> [Line] {
        let container = NSPersistentContainer(name: "TaskList")
        let statements = StatementCount()
        let observation = container.persistentStoreCoordinator.observeActivity { statements.note($0) }
        defer { observation.cancel() }
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.shouldAddStoreAsynchronously = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        let context = container.newBackgroundContext()
        let texts = try context.performAndWait {
            let request: NSFetchRequest<Task> = Task.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(key: "timeStamp", ascending: false)]
            return try context.fetch(request).map { task in
                "“\(task.taskText ?? "")” of \(task.timeStamp?.formatted(.iso8601) ?? "")"
            }
        }
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
        var lines = [
            Line(.step, "It is opened with migration: the mapping model EventToTask makes a Task of each Event.")
        ]
        lines.append(
            Line(
                texts.count == 3 ? .good : .bad,
                "Opened, after \(statements.value) statements. The store has \(texts.count) tasks:"
            )
        )
        return lines + texts.map { Line(.aside, $0) }
    }
}
