// A store of notes, some with large values, as scenarios use it: opened, filled, read, checked.
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools

/// The notes in one store.
final class Desk {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    init(
        _ url: URL,
        _ model: NSManagedObjectModel = Desk.model,
        type: NSPersistentStore.StoreType = .sqlite,
        options: [AnyHashable: Any] = [:]
    ) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: url, options: options)
        context = coordinator.makeContext()
        context.undoManager = nil
    }

    func close() { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

    static func photo(_ number: Int) -> Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: 103_000) }

    // MARK: Writing

    /// Makes a store and fills it, and leaves its log, as a killed process does.
    static func makeWithLog(_ url: URL, _ model: NSManagedObjectModel = Desk.model, _ fill: (Desk) throws -> Void)
        throws
    {
        let folder = url.deletingLastPathComponent()
        let draft = folder.deletingLastPathComponent().appending(path: "draft-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: draft) }
        let desk = try Desk(draft.appending(path: url.lastPathComponent), model)
        defer { desk.close() }
        try fill(desk)
        for name in try FileManager.default.contentsOfDirectory(atPath: draft.path) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: draft.appending(path: name), to: folder.appending(path: name))
        }
    }

    /// Runs a step on the context's queue; a failed one leaves no changes.
    func step(_ body: (NSManagedObjectContext) throws -> Void) throws -> String {
        try context.performAndWait { () throws in
            do {
                try body(context)
            } catch {
                context.rollback()
                throw error
            }
        }
        return ""
    }

    func save(add: ClosedRange<Int>? = nil, change: [Int] = [], delete: [Int] = []) throws -> String {
        try step { context in
            let notesByID = try self.notes(change + delete)
            for id in add.map(Array.init) ?? [] {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(id, forKey: "id")
                note.setValue("note \(id)", forKey: "title")
                note.setValue(id % 3, forKey: "group")
                if id % 4 == 0 { note.setValue(Self.photo(id), forKey: "photo") }
            }
            for id in change {
                guard let note = notesByID[id] else { throw Wrong("the note \(id) was not found") }
                note.setValue("changed \(id)", forKey: "title")
                note.setValue(Self.photo(id + 100), forKey: "photo")
            }
            for id in delete {
                guard let note = notesByID[id] else { throw Wrong("the note \(id) was not found") }
                context.delete(note)
            }
            try context.save()
        }
    }

    private func notes(_ ids: [Int]) throws -> [Int: NSManagedObject] {
        guard !ids.isEmpty else { return [:] }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "id IN %@", ids)
        return Dictionary(
            uniqueKeysWithValues: try context.fetch(request).map { ($0.value(forKey: "id") as? Int ?? -1, $0) }
        )
    }

    /// Reads all notes as dictionaries, with their large values: a call that can throw.
    func read() throws -> String {
        try context.performAndWait { () throws in
            let request = NSFetchRequest<[String: Any]>(entityName: "Note")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["id", "title", "group", "photo"]
            request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
            return try context.fetch(request).map { row in Self.line { row[$0] } }.joined(separator: "\n")
        }
    }

    /// Reads all notes as objects.
    func readObjects() throws -> String {
        try context.performAndWait { () throws in
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
            request.returnsObjectsAsFaults = false
            return try context.fetch(request).map { note in Self.line { note.value(forKey: $0) } }
                .joined(separator: "\n")
        }
    }

    static func line(_ value: (String) -> Any?) -> String {
        let photo = (value("photo") as? Data).map { data in
            let isWhole = data == Data(repeating: data.first ?? 0, count: data.count)
            return "\(data.count) of \(data.first ?? 0)\(isWhole ? "" : ", mixed")"
        }
        return "\(value("id") ?? "-") \(value("title") ?? "-") \(value("group") ?? "-") \(photo ?? "-")"
    }

    // MARK: After a cut

    /// The notes of a store that is opened as a program opens it; "none" if there is no file.
    static func content(_ url: URL, type: NSPersistentStore.StoreType = .sqlite) throws -> String {
        guard FileManager.default.fileExists(atPath: url.path) else { return "none" }
        let desk = try Desk(url, type: type, options: [NSPersistentHistoryTrackingKey: true])
        defer { desk.close() }
        let text = try desk.read()
        return text.isEmpty ? "none" : text
    }

    /// Saves a note, reads it again, and checks the file and the files beside it.
    static func check(
        _ url: URL,
        _ model: NSManagedObjectModel = Desk.model,
        type: NSPersistentStore.StoreType = .sqlite
    ) throws -> [String] {
        var problems: [String] = []
        let desk = try Desk(url, model, type: type, options: [NSPersistentHistoryTrackingKey: true])
        _ = try desk.step { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue("saved afterwards", forKey: "title")
            note.setValue(photo(7), forKey: "photo")
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "title == 'saved afterwards'")
            let savedNotes = try context.fetch(request)
            if savedNotes.count != 1 || savedNotes.first?.value(forKey: "photo") as? Data != photo(7) {
                problems.append("a note saved after the cut was not read again")
            }
        }
        desk.close()
        guard type == .sqlite else { return problems }
        return problems + StoreChecker().check(url, with: model).problems
    }

    /// Lets two days pass for all files of a folder, so that drafts of ended processes are taken for abandoned.
    static func age(_ folder: URL) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: path).path
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) == nil else { continue }
            let date = Date(timeIntervalSinceNow: -2 * 24 * 60 * 60)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        }
    }

    /// The names in a folder that are neither those of the stores nor expected.
    static func leftovers(_ folder: URL, _ expected: [String]) -> [String] {
        var expectedNames = Set(expected)
        for name in expected {
            expectedNames.formUnion(["-wal", "-shm", "-journal"].map { name + $0 })
            expectedNames.insert(".\((name as NSString).deletingPathExtension)_SUPPORT")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !expectedNames.contains($0) }.map { "the file \($0) is left" }
    }

    // MARK: Model

    static let model: NSManagedObjectModel = {
        let note = NSEntityDescription("Note")
        let photo = NSAttributeDescription("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        note.properties = [
            NSAttributeDescription("id", .integer64AttributeType), NSAttributeDescription("title"),
            NSAttributeDescription("group", .integer32AttributeType), photo,
        ]
        return NSManagedObjectModel([note])
    }()
}
