// Files of large values that exist and cannot be read: their values are not taken for missing ones.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

@testable import StoreProgram

struct LargeValueErrorTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "values-\(UUID().uuidString)")
    private var url: URL { folder.appending(path: "Notes.sqlite") }

    /// Makes a store with one large value, and puts a folder in the place of its file, which then cannot be read.
    private func makeStore() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try NoteStore.model.withStore(at: url) { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(1, forKey: "id")
            note.setValue(Data(repeating: 7, count: 150_000), forKey: "picture")
            try context.save()
        }
        let files = folder.appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA")
        let names = try FileManager.default.contentsOfDirectory(atPath: files.path)
        expectEqual(names.count, 1)
        for name in names {
            try FileManager.default.removeItem(at: files.appending(path: name))
            try FileManager.default.createDirectory(at: files.appending(path: name), withIntermediateDirectories: false)
        }
    }

    @Test("A fetch of dictionaries throws with a remedy if the file of a large value cannot be read")
    func fetches() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        try NoteStore.model.withStore(at: url) { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Note")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["id", "picture"]
            let error = #expect(throws: NSError.self) { try context.fetch(request) }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.localizedRecoverySuggestion?.isEmpty, false)
        }
    }

    @Test("An export and a move throw if the file of a large value cannot be read")
    func exportsAndMoves() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeStore()
        #expect(throws: (any Error).self) {
            try StoreExport(StoreReading(url), entity: nil).writeLines { _ in }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteStore.model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let target = folder.appending(path: "Moved.binary")
        #expect(throws: NSError.self) {
            try coordinator.migratePersistentStore(store, to: target, type: .binary)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        try coordinator.remove(store)
    }
}
