// One line of the panel as a value, and as the JSON that hood.js reads. Recorded by ActivityFeed.
import CoreData
import Foundation
import WebSupport

/// An event beneath a screen.
enum ActivityEntry: Sendable {
    /// A statement, a fault or a save, from the coordinator.
    case activity(StoreActivity)
    /// The changes that a results controller has delivered to a table.
    case controller(ControllerChanges)
    /// A draft has changed, perhaps without a statement; panels read their object again.
    case edited

    /// The maximum number of objects of a save and of changes of a controller in one entry.
    static let listLimit = 12
    /// The maximum length of a statement, in characters.
    static let textLimit = 4_000

    /// Whether a panel itself is the cause.
    var isInspection: Bool {
        if case .activity(.statement(let statement)) = self, case .inspection = statement.cause { true } else { false }
    }

    var json: JSONValue {
        switch self {
        case .activity(.statement(let statement)): Self.json(statement)
        case .activity(.faultFired(let fault)):
            Self.json("fault", fault.context, [("object", .reference(fault.objectID))])
        case .activity(.saveFinished(let save)): Self.json(save)
        case .controller(let changes): changes.json
        case .edited: .object([("kind", .string("edited"))])
        }
    }

    private static func json(_ statement: StoreActivity.Statement) -> JSONValue {
        var pairs: [(String, JSONValue)] = [
            ("cause", .string(statement.cause.word)), ("about", .string(statement.cause.description)),
            ("text", .string(String(statement.text.prefix(textLimit)))),
            ("time", .integer(statement.duration.microseconds)), ("rows", .integer(statement.rows)),
        ]
        if (1...listLimit).contains(statement.bindingCount) {
            pairs.append(("bindings", .array(statement.bindings.map { .string($0) })))
        } else {
            pairs.append(("bound", .integer(statement.bindingCount)))
        }
        return json("sql", statement.context, pairs)
    }

    private static func json(_ save: StoreActivity.FinishedSave) -> JSONValue {
        func objects(_ objects: [StoreActivity.ChangedObject]) -> JSONValue {
            .array(
                objects.prefix(listLimit).map {
                    .array([.reference($0.objectID), .array($0.properties.map { .string($0) })])
                }
            )
        }
        return json(
            "save",
            save.context,
            [
                ("time", .integer(save.duration.microseconds)), ("toParent", .integer(save.isSavedToParent ? 1 : 0)),
                ("inserted", objects(save.inserted)), ("updated", objects(save.updated)),
                ("deleted", .array(save.deleted.prefix(listLimit).map { .array([.reference($0), .array([])]) })),
                (
                    "counts",
                    .array([save.inserted, save.updated].map { .integer($0.count) } + [.integer(save.deleted.count)])
                ),
            ]
        )
    }

    private static func json(_ kind: String, _ context: StoreActivity.Context?, _ more: [(String, JSONValue)])
        -> JSONValue
    {
        .object([("kind", .string(kind)), ("context", .string(context?.name ?? ""))] + more)
    }
}

extension JSONValue {
    static func reference(_ objectID: NSManagedObjectID) -> JSONValue {
        .string(ObjectReference(objectID.uriRepresentation()).text)
    }
}

extension StoreActivity.Cause {
    /// The kind of cause in one word, by which the panel colours statements.
    var word: String {
        switch self {
        case .fetch, .count: "fetch"
        case .fault, .relationshipFault, .prefetch, .refresh: "fault"
        case .save, .permanentIDs, .batchInsert, .batchUpdate, .batchDelete: "save"
        case .snapshot: "snapshot"
        case .history, .opening, .migration, .inspection, .other: "other"
        }
    }
}
