// One line of the section Live as a value, and as the JSON that live.js reads. Recorded by LiveFeed.
import CoreData
import Foundation
import WebSupport

/// An event beneath a running container.
enum LiveEntry: Sendable {
    /// A statement, a fault or a save.
    case activity(StoreActivity, at: Date)
    /// A relationship that fires row by row.
    case warning(RowByRowWarning, at: Date)

    /// The maximum number of objects of a save in one entry.
    static let listLimit = 50
    /// The maximum length of a statement, in characters.
    static let textLimit = 8_000

    var json: JSONValue {
        switch self {
        case .activity(.statement(let statement), let date): Self.json(statement, date)
        case .activity(.faultFired(let fault), let date):
            Self.json("fault", fault.context, date, [("object", .string(fault.objectID.reference))])
        case .activity(.saveFinished(let save), let date): Self.json(save, date)
        case .warning(let warning, let date):
            .object([("kind", .string("warning")), ("at", Self.moment(date))] + warning.pairs)
        }
    }

    private static func json(_ statement: StoreActivity.Statement, _ date: Date) -> JSONValue {
        json(
            "sql",
            statement.context,
            date,
            [
                ("cause", .string(statement.cause.word)), ("about", .string(statement.cause.description)),
                ("text", .string(String(statement.text.prefix(textLimit)))),
                ("time", .integer(statement.duration.microseconds)), ("rows", .integer(statement.rows)),
                ("bindings", .array(statement.bindings.prefix(listLimit).map { .string($0) })),
                ("bound", .integer(statement.bindingCount)),
            ]
        )
    }

    private static func json(_ save: StoreActivity.FinishedSave, _ date: Date) -> JSONValue {
        func objects(_ kind: String, _ objects: [StoreActivity.ChangedObject]) -> [JSONValue] {
            objects.prefix(listLimit).map { object in
                .object([
                    ("kind", .string(kind)), ("object", .string(object.objectID.reference)),
                    ("changes", .array(object.changes.map(\.json))),
                ])
            }
        }
        return json(
            "save",
            save.context,
            date,
            [
                ("time", .integer(save.duration.microseconds)), ("toParent", .integer(save.isSavedToParent ? 1 : 0)),
                (
                    "objects",
                    .array(
                        objects("inserted", save.inserted) + objects("updated", save.updated)
                            + objects("deleted", save.deletedObjects)
                    )
                ),
                (
                    "counts",
                    .array([save.inserted.count, save.updated.count, save.deleted.count].map { .integer($0) })
                ),
            ]
        )
    }

    private static func json(
        _ kind: String,
        _ context: StoreActivity.Context?,
        _ date: Date,
        _ more: [(String, JSONValue)]
    ) -> JSONValue {
        .object(
            [
                ("kind", .string(kind)), ("at", moment(date)), ("context", .string(context?.name ?? "")),
                ("author", .string(context?.transactionAuthor ?? "")),
                ("own", .integer(context?.name?.hasPrefix(LiveFeed.ownPrefix) == true ? 1 : 0)),
            ] + more
        )
    }

    /// Milliseconds since 1970.
    private static func moment(_ date: Date) -> JSONValue { .integer(Int(date.timeIntervalSince1970 * 1_000)) }
}

extension StoreActivity.PropertyChange {
    fileprivate var json: JSONValue {
        var pairs: [(String, JSONValue)] = [("name", .string(name))]
        if isRecorded {
            if let before { pairs.append(("before", .string(ValueText.text(before)))) }
            if let after { pairs.append(("after", .string(ValueText.text(after)))) }
        } else {
            pairs.append(("unrecorded", .integer(1)))
        }
        return .object(pairs)
    }
}

extension NSManagedObjectID {
    /// The entity and the key: `Task/p12`.
    var reference: String {
        let parts = uriRepresentation().pathComponents.suffix(2)
        return parts.joined(separator: "/")
    }
}

extension StoreActivity.Cause {
    /// The kind of cause in one word, by which the page colours statements.
    fileprivate var word: String {
        switch self {
        case .fetch, .count: "fetch"
        case .fault, .relationshipFault, .prefetch, .refresh: "fault"
        case .save, .permanentIDs, .batchInsert, .batchUpdate, .batchDelete: "save"
        case .snapshot: "snapshot"
        case .history, .opening, .migration, .inspection, .other: "other"
        }
    }
}
