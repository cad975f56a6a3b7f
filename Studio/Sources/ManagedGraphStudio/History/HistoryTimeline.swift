// The saves of a store, newest first: those of its persistent history, and those that the section Live has observed.
import CoreData
import Foundation
import GraphUpkeep

struct HistoryTimeline: Encodable, Sendable {
    /// The maximum number of saves, and of objects in one of them.
    static let limit = 500, objectLimit = 200
    /// The number of newest transactions that are read.
    static let window = 5_000

    struct Save: Encodable, Sendable {
        /// `t12` for a transaction of the history, `s3` for an observed save.
        var id: String
        var date: Date
        var author: String
        var context: String
        var process: String
        var changes: [Change]
        /// The number of objects in all.
        var count: Int
    }

    struct Change: Encodable, Sendable {
        /// `insert`, `update` or `delete`.
        var kind: String
        var entity: String
        var uri: String
        var object: String
        var properties: [String]
    }

    /// Whether the store keeps a history.
    var isKept: Bool
    /// Whether saves were observed.
    var isObserved: Bool
    /// Whether no older save is kept.
    var isComplete: Bool
    var isWritable: Bool
    var saves: [Save]
    var entities: [String]

    static func read(_ source: StudioSource, journal: SaveJournal?, entity: String?) async throws -> HistoryTimeline {
        let isWritable = source.facts.isWritable
        return try await source.read { context in
            let history = try StoreHistory.latest(window, in: context)
            let transactions = history.transactions
            let model = context.persistentStoreCoordinator?.managedObjectModel
            let names = model?.entities.compactMap(\.name).sorted() ?? []
            let family = entity.flatMap { model?.entitiesByName[$0] }
            func isWanted(_ other: NSEntityDescription) -> Bool { family.map { other.isKindOf(entity: $0) } ?? true }
            var saves = transactions.map { Save($0, isWanted) }
            let isObserved = journal.map { !$0.entries.isEmpty } ?? false
            // A store with a history has each save already.
            if transactions.isEmpty { saves = journal?.entries.map { Save($0, isWanted) } ?? [] }
            saves = saves.filter { !$0.changes.isEmpty }
            let isComplete = history.isComplete && saves.count <= limit
            saves = saves.suffix(limit).reversed()
            return HistoryTimeline(
                isKept: !transactions.isEmpty,
                isObserved: isObserved,
                isComplete: isComplete,
                isWritable: isWritable,
                saves: saves,
                entities: names
            )
        }
    }
}

extension HistoryTimeline.Save {
    init(_ transaction: NSPersistentHistoryTransaction, _ isWanted: (NSEntityDescription) -> Bool) {
        let changes = (transaction.changes ?? []).filter { isWanted($0.changedObjectID.entity) }
        id = "t\(transaction.transactionNumber)"
        date = transaction.timestamp
        author = transaction.author ?? ""
        context = transaction.contextName ?? ""
        process = transaction.processID
        count = changes.count
        self.changes = changes.prefix(HistoryTimeline.objectLimit).map(HistoryTimeline.Change.init)
    }

    init(_ entry: SaveJournal.Entry, _ isWanted: (NSEntityDescription) -> Bool) {
        let save = entry.save
        let kinds = [("insert", save.inserted), ("update", save.updated), ("delete", save.deletedObjects)]
        let changes = kinds.flatMap { kind, objects in
            objects.filter { isWanted($0.objectID.entity) }.map { HistoryTimeline.Change(kind, $0) }
        }
        id = "s\(entry.number)"
        date = entry.date
        author = save.context?.transactionAuthor ?? ""
        context = save.context?.name ?? ""
        process = ""
        count = changes.count
        self.changes = Array(changes.prefix(HistoryTimeline.objectLimit))
    }
}

extension HistoryTimeline.Change {
    init(_ change: NSPersistentHistoryChange) {
        kind =
            switch change.changeType {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            }
        entity = change.changedObjectID.entity.name ?? ""
        uri = change.changedObjectID.uriRepresentation().absoluteString
        object = change.changedObjectID.reference
        properties = (change.updatedProperties ?? []).map(\.name).sorted()
    }

    init(_ kind: String, _ object: StoreActivity.ChangedObject) {
        self.kind = kind
        entity = object.entity
        uri = object.objectID.uriRepresentation().absoluteString
        self.object = object.objectID.reference
        properties = kind == "update" ? object.properties : []
    }
}
