// The work of a server: each request edits in a new child context, which is saved into the root context and from there
// into the store. Run by a test that measures the memory of the process.
import Foundation
import GraphSupport
import ManagedGraph

/// Serves requests with one store, one after the other.
struct Service {
    /// The number of notes that requests choose from.
    private static let notes = 1_000
    private let root: NSManagedObjectContext
    private var number = 0
    private var next = 0

    init(_ store: NoteStore) throws {
        root = store.container
        for _ in 0..<Self.notes { try add() }
    }

    /// Serves a request: most edit a note, some add one and delete another.
    mutating func serve() throws {
        number += 1
        if number.isMultiple(of: 5) {
            try add()
            try edit(next - Self.notes - 1) { $0.managedObjectContext?.delete($0) }
        } else {
            let score = number
            try edit(next - 1 - number &* 7_919 % Self.notes) { $0.setValue(score % 100, forKey: "score") }
        }
        // A server also prunes its history.
        if number.isMultiple(of: 5_000) {
            _ = try root.performAndWait { () throws in
                try root.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date()))
            }
        }
    }

    private mutating func add() throws {
        let id = next
        next += 1
        try inChild { context in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(id, forKey: "id")
            note.setValue("note \(id)", forKey: "title")
        }
    }

    private func edit(_ id: Int, _ body: (NSManagedObject) -> Void) throws {
        try inChild { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "id == %d", id)
            guard let note = try context.fetch(request).first else { throw Missing(id: id) }
            body(note)
        }
    }

    private func inChild(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let child = root.makeChild()
        try child.performAndWait { () throws in
            try body(child)
            try child.save()
        }
        try root.performAndWait { () throws in try root.save() }
    }

    /// A note that was saved and not deleted is missing.
    struct Missing: Error { let id: Int }

    /// The resident memory of the process in bytes.
    static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize())
    }
}
