// An object as a panel shows it: values only, and the JSON that hood.js reads. Made by ObjectInspector.
import CoreData
import Foundation
import WebSupport

/// The state of one object in memory and in its store.
struct InspectedObject: Sendable {
    /// The object in one context.
    struct State: Sendable {
        struct Value: Sendable {
            var key: String
            var committed: String
            /// The unsaved value; nil if it is unchanged.
            var changed: String?
        }

        var context: String
        var isFault: Bool
        var hasChanges: Bool
        var values: [Value] = []

        /// Reads an object on its context's queue; a fault stays one.
        init(_ object: NSManagedObject, context: String) {
            self.context = context
            isFault = object.isFault
            hasChanges = object.hasChanges
            guard !isFault else { return }
            let properties = object.entity.propertiesByName
            // To-many relationships and data would be read from the store, and transient values are computed.
            let keys = properties.keys.sorted().filter { key in
                switch properties[key] {
                case let attribute as NSAttributeDescription:
                    attribute.attributeType != .binaryDataAttributeType && !attribute.isTransient
                case let relationship as NSRelationshipDescription: !relationship.isToMany
                default: false
                }
            }
            let committed = object.committedValues(forKeys: keys)
            let changed = object.changedValues()
            values = keys.map { key in
                Value(
                    key: key,
                    committed: InspectedObject.text(committed[key]),
                    changed: changed[key].map(InspectedObject.text)
                )
            }
        }
    }

    let objectID: NSManagedObjectID
    let reference: String
    let uri: String
    let entity: String
    /// The application's context first, then the drafts with changes.
    var states: [State] = []
    var row: StoredRow?
    /// The reason if there is no row.
    var problem: String?

    init(_ objectID: NSManagedObjectID) {
        self.objectID = objectID
        let uri = objectID.uriRepresentation()
        self.uri = uri.absoluteString
        reference = ObjectReference(uri).text
        entity = objectID.entity.name ?? ""
    }

    /// Returns a value as text, as a programmer writes it.
    static func text(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: "nil"
        case let text as String: "“\(text.prefix(200))”"
        case let date as Date: date.formatted(.iso8601)
        case let data as Data: "\(data.count) bytes"
        case let object as NSManagedObject: ObjectReference(object.objectID.uriRepresentation()).text
        case let value?: String("\(value)".prefix(200))
        }
    }

    var json: String {
        let states = states.map { state in
            JSONValue.object([
                ("context", .string(state.context)), ("isFault", .integer(state.isFault ? 1 : 0)),
                ("hasChanges", .integer(state.hasChanges ? 1 : 0)),
                (
                    "values",
                    .array(
                        state.values.map {
                            .array([.string($0.key), .string($0.committed)] + ($0.changed.map { [.string($0)] } ?? []))
                        }
                    )
                ),
            ])
        }
        var pairs: [(String, JSONValue)] = [
            ("reference", .string(reference)), ("uri", .string(uri)), ("entity", .string(entity)),
            ("states", .array(states)), ("problem", .string(problem ?? "")),
        ]
        if let row {
            let columns = row.columns.map { JSONValue.array([.string($0.name), .string($0.value)]) }
            pairs.append(("row", .object([("table", .string(row.table)), ("columns", .array(columns))])))
        }
        return JSONValue.object(pairs).text
    }
}
