// The states of one object, derived from the history of the store, from the saves that the studio has observed, and from
// the present values. Made by ObjectHistory.
import CoreData
import Foundation
import GraphUpkeep

/// The states of one object, oldest first; confined to the context's queue.
struct ObjectPast {
    /// The object after one save.
    struct State {
        var id: String
        var date: Date
        var author: String
        var context: String
        var kind: String
        var changed: Set<String>
        /// The values that are known; `.some(nil)` is a value that is known to be nil.
        var values: [String: Any?]
    }

    let objectID: NSManagedObjectID
    let entity: NSEntityDescription
    /// Attributes and to-one relationships, which have values of their own.
    let names: [String]
    /// The object now; nil if it was deleted.
    let object: NSManagedObject?
    private(set) var states: [State] = []

    var exists: Bool { object != nil }

    init(_ uri: String, _ context: NSManagedObjectContext, _ journal: SaveJournal?) throws {
        guard let url = URL(string: uri), let coordinator = context.persistentStoreCoordinator,
            let objectID = coordinator.managedObjectID(forURIRepresentation: url)
        else {
            throw StudioError(
                "The store has no object \(uri).",
                remedy: "Choose an object of the timeline.",
                status: .notFound
            )
        }
        self.objectID = objectID
        entity = objectID.entity
        names = entity.propertiesByName.values.filter { property in
            guard !property.isTransient else { return false }
            if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
            guard let attribute = property as? NSAttributeDescription else { return false }
            return attribute.attributeType != .transformableAttributeType
        }.map(\.name).sorted()
        object = try? context.existingObject(with: objectID)
        let transactions = try StoreHistory.latest(HistoryTimeline.window, in: context).transactions
        if transactions.isEmpty {
            addObserved(journal?.entries ?? [])
        } else {
            addKept(transactions)
            fillFromJournal(journal?.entries ?? [])
        }
        fillBackwards()
    }

    // MARK: Sources of states

    private mutating func addKept(_ transactions: [NSPersistentHistoryTransaction]) {
        for transaction in transactions {
            for change in transaction.changes ?? [] where change.changedObjectID == objectID {
                var values: [String: Any?] = [:]
                for (key, value) in change.tombstone ?? [:] {
                    if let name = key as? String { values[name] = value }
                }
                states.append(
                    State(
                        id: "t\(transaction.transactionNumber)",
                        date: transaction.timestamp,
                        author: transaction.author ?? "",
                        context: transaction.contextName ?? "",
                        kind: HistoryTimeline.Change(change).kind,
                        changed: Set((change.updatedProperties ?? []).map(\.name)),
                        values: values
                    )
                )
            }
        }
    }

    private mutating func addObserved(_ entries: [SaveJournal.Entry]) {
        for entry in entries {
            let save = entry.save
            let kinds = [("insert", save.inserted), ("update", save.updated), ("delete", save.deletedObjects)]
            for (kind, objects) in kinds {
                for object in objects where object.objectID == objectID {
                    if states.isEmpty, kind == "update" {
                        // The values before the first observed save are those of a state of their own.
                        let values = object.changes.filter(\.isRecorded).map { ($0.name, $0.before) }
                        states.append(
                            State(
                                id: "s0",
                                date: entry.date,
                                author: "",
                                context: "",
                                kind: "before",
                                changed: [],
                                values: Dictionary(values, uniquingKeysWith: { $1 })
                            )
                        )
                    }
                    let values = object.changes.filter(\.isRecorded)
                        .map { ($0.name, kind == "delete" ? $0.before : $0.after) }
                    states.append(
                        State(
                            id: "s\(entry.number)",
                            date: entry.date,
                            author: save.context?.transactionAuthor ?? "",
                            context: save.context?.name ?? "",
                            kind: kind,
                            changed: Set(object.properties),
                            values: Dictionary(values, uniquingKeysWith: { $1 })
                        )
                    )
                }
            }
        }
    }

    /// Adds the values of observed saves to the states of the history's transactions.
    ///
    /// Nothing but the time connects the two: a save belongs to the nearest state within a second.
    private mutating func fillFromJournal(_ entries: [SaveJournal.Entry]) {
        for entry in entries {
            let objects = entry.save.inserted + entry.save.updated + entry.save.deletedObjects
            guard let object = objects.first(where: { $0.objectID == objectID }) else { continue }
            let nearest = states.indices.min {
                abs(states[$0].date.timeIntervalSince(entry.date)) < abs(states[$1].date.timeIntervalSince(entry.date))
            }
            guard let nearest, abs(states[nearest].date.timeIntervalSince(entry.date)) < 1 else { continue }
            for change in object.changes where change.isRecorded {
                states[nearest].values[change.name] = states[nearest].kind == "delete" ? change.before : change.after
                if nearest > 0, states[nearest].kind == "update" {
                    states[nearest - 1].values[change.name] = change.before
                }
            }
        }
    }

    /// A value that no later save has changed was the same before: the present values, those of a deleted object, and those
    /// of observed saves reach back to the save that set them.
    private mutating func fillBackwards() {
        var laterValues: [String: Any?] = [:]
        if let object {
            for name in names {
                let value = object.primitiveValue(forKey: name)
                laterValues[name] = (value as? NSManagedObject)?.objectID ?? value
            }
        }
        for index in states.indices.reversed() {
            for (name, value) in states[index].values { laterValues[name] = value }
            if states[index].kind == "delete" { laterValues = states[index].values }
            for name in names where states[index].values[name] == nil {
                if let value = laterValues[name] { states[index].values[name] = value }
            }
            // Before this save its properties had other values.
            switch states[index].kind {
            case "update":
                for name in states[index].changed { laterValues[name] = nil }
            case "insert": laterValues = [:]
            default: break
            }
        }
    }

    // MARK: Putting back

    /// The known values of a state that differ from the present ones.
    func restorable(_ state: State) -> [String: Any?] {
        state.values.filter { name, value in
            guard names.contains(name) else { return false }
            guard let object else { return true }
            let currentValue = object.primitiveValue(forKey: name)
            return !Self.isEqual(value, (currentValue as? NSManagedObject)?.objectID ?? currentValue)
        }
    }

    /// Whether two values are equal; `ValueText` shortens long ones.
    static func isEqual(_ first: Any?, _ second: Any?) -> Bool {
        switch (first, second) {
        case (let first as String, let second as String): first == second
        case (let first as Data, let second as Data): first == second
        case (let first as [String: Any], let second as [String: Any]):
            first.count == second.count && first.allSatisfy { isEqual($0.value, second[$0.key]) }
        default: ValueText.text(first) == ValueText.text(second)
        }
    }
}
