// The store in which a plan is executed: opened, written step by step, compared with the plan.
import Foundation
import GraphSupport
import ManagedGraph

/// Notes with tags in a SQLite store with history.
struct NoteStore {
    /// A difference between the store and the plan.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let container: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let url: URL

    init(_ url: URL, options: [AnyHashable: Any] = [:], model: NSManagedObjectModel = Self.model) throws {
        self.url = url
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .sqlite,
            at: url,
            options: options.merging([NSPersistentHistoryTrackingKey: true]) { $1 }
        )
        container = NSManagedObjectContext(.privateQueue)
        container.persistentStoreCoordinator = coordinator
        container.undoManager = nil
        container.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    // MARK: Writing

    /// Executes a step; the history's author is its number.
    func run(_ step: Step, number: Int) throws {
        try container.performAndWait { () throws in
            container.transactionAuthor = "\(number)"
            switch step {
            case .save(let inserted, let updated, let deleted): try save(inserted, updated, deleted)
            case .batchInsert(let notes):
                let rows = notes.sorted { $0.key < $1.key }.map { id, note -> [String: Any] in
                    var row: [String: Any] = ["id": id, "title": note.title, "group": note.group, "score": note.score]
                    row["picture"] = note.picture?.data
                    return row
                }
                try container.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
            case .batchUpdate(let group, let score):
                let request = NSBatchUpdateRequest(entityName: "Note")
                request.predicate = NSPredicate(format: "group == %d", group)
                request.propertiesToUpdate = ["score": score]
                try container.execute(request)
            case .batchDelete(let group):
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
                request.predicate = NSPredicate(format: "group == %d", group)
                try container.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
            container.reset()
        }
    }

    private func save(_ inserted: [Int: PlannedNote], _ updated: [Int: PlannedNote], _ deleted: [Int]) throws {
        let tags = try tags()
        for (id, note) in inserted.sorted(by: { $0.key < $1.key }) {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Note", into: container)
            object.setValue(id, forKey: "id")
            set(note, of: object, tags)
        }
        let notesByID = try notes(Array(updated.keys) + deleted)
        for (id, note) in updated { if let object = notesByID[id] { set(note, of: object, tags) } }
        for id in deleted { if let object = notesByID[id] { container.delete(object) } }
        try container.save()
    }

    private func set(_ note: PlannedNote, of object: NSManagedObject, _ tags: [Int: NSManagedObject]) {
        object.setValue(note.title, forKey: "title")
        object.setValue(note.group, forKey: "group")
        object.setValue(note.score, forKey: "score")
        object.setValue(note.picture?.data, forKey: "picture")
        object.setValue(Set(note.tags.compactMap { tags[$0] }), forKey: "tags")
    }

    private func tags() throws -> [Int: NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        var tagsByNumber = Dictionary(
            uniqueKeysWithValues: try container.fetch(request).map { ($0.value(forKey: "number") as? Int ?? -1, $0) }
        )
        for number in 0..<Plan.tags where tagsByNumber[number] == nil {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: container)
            tag.setValue(number, forKey: "number")
            tagsByNumber[number] = tag
        }
        return tagsByNumber
    }

    private func notes(_ ids: [Int]) throws -> [Int: NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "id IN %@", ids)
        return Dictionary(
            uniqueKeysWithValues: try container.fetch(request).map { ($0.value(forKey: "id") as? Int ?? -1, $0) }
        )
    }

    // MARK: Checking

    /// Every note in the store, in the plan's form.
    func content() throws -> [Int: PlannedNote] {
        try container.performAndWait { () throws in
            var result: [Int: PlannedNote] = [:]
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.relationshipKeyPathsForPrefetching = ["tags"]
            for object in try container.fetch(request) {
                guard let id = object.value(forKey: "id") as? Int, let title = object.value(forKey: "title") as? String,
                    let group = object.value(forKey: "group") as? Int, let score = object.value(forKey: "score") as? Int
                else { throw Difference(description: "a note without values: \(object)") }
                var note = PlannedNote(title: title, group: group, score: score)
                if let data = object.value(forKey: "picture") as? Data, let byte = data.first {
                    note.picture = .init(size: data.count, byte: byte)
                    guard data == note.picture?.data else {
                        throw Difference(description: "the picture of \(id) is mixed")
                    }
                }
                let tags = object.value(forKey: "tags") as? Set<NSManagedObject> ?? []
                note.tags = Set(tags.compactMap { $0.value(forKey: "number") as? Int })
                guard result.updateValue(note, forKey: id) == nil else {
                    throw Difference(description: "the note \(id) is there twice")
                }
            }
            container.reset()
            return result
        }
    }

    /// The number of notes with a title, read in batches.
    func count(batchSize: Int) throws -> Int {
        try container.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.fetchBatchSize = batchSize
            let notes = try container.fetch(request)
            return notes.count { ($0.value(forKey: "title") as? String)?.isEmpty == false }
        }
    }

    /// The author of the newest transaction: the number of the last step in the store; 0 for none.
    func lastStep() throws -> Int {
        try container.performAndWait { () throws in
            let result = try container.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
            let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
            let numbers = transactions.map { Int($0.author ?? "") ?? -1 }
            // A batch without matching rows is not a transaction, so numbers may be missing, but must be ascending.
            guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else {
                throw Difference(description: "the history's steps are \(numbers.suffix(20))")
            }
            return numbers.last ?? 0
        }
    }

    /// The number of external files in the folder, and the number that rows require.
    func files() throws -> (present: Int, needed: Int) {
        let folder = url.deletingLastPathComponent()
            .appending(path: ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
        let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
        let needed = try content().values.count { ($0.picture?.size ?? 0) > 110_000 }
        return (present, needed)
    }

    // MARK: Model

    static let model = makeModel()

    /// A later version, to which stores are migrated: notes have one more attribute, tags a longer number.
    static let laterModel = makeModel(isLater: true)

    private static func makeModel(isLater: Bool = false) -> NSManagedObjectModel {
        let note = NSEntityDescription("Note")
        let tag = NSEntityDescription("Tag")
        let picture = NSAttributeDescription("picture", .binaryDataAttributeType)
        picture.allowsExternalBinaryDataStorage = true
        note.properties = [
            NSAttributeDescription("id", .integer64AttributeType), NSAttributeDescription("title"),
            NSAttributeDescription("group", .integer32AttributeType),
            NSAttributeDescription("score", .integer32AttributeType), picture,
        ]
        note.uniquenessConstraints = [["id"]]
        // Several processes may insert the same tag; the constraint merges them.
        tag.uniquenessConstraints = [["number"]]
        tag.properties = [NSAttributeDescription("number", .integer32AttributeType)]
        note.relate("tags", toMany: true, to: tag, "notes", inverseToMany: true)
        if isLater {
            note.properties.append(NSAttributeDescription("priority", .integer32AttributeType, default: 3))
            tag.attributesByName["number"]?.attributeType = .integer64AttributeType
        }
        return NSManagedObjectModel([note, tag])
    }
}
