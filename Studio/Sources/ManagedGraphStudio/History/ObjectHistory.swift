// One object at each save: its values, as far as they follow from the history, the observed saves and the store.
import CoreData
import Foundation
import GraphUpkeep

struct ObjectHistory: Encodable, Sendable {
    /// The object as a save left it.
    struct Moment: Encodable, Sendable {
        var id: String
        var date: Date
        var author: String
        var context: String
        /// `insert`, `update` or `delete`.
        var kind: String
        var values: [Value]
        /// Whether some value is known that differs from the present one, so that the object can be put back.
        var isRestorable: Bool
    }

    /// A property at a moment.
    struct Value: Encodable, Sendable {
        var name: String
        /// The value as text; nil if it is none, or is not known.
        var text: String?
        /// Whether the value is known; an update in the history names its properties only.
        var isKnown: Bool
        /// Whether the save changed it.
        var isChanged: Bool
    }

    var object: String
    var entity: String
    /// Whether the object exists now.
    var exists: Bool
    var moments: [Moment]

    static func read(_ uri: String, of source: StudioSource, journal: SaveJournal?) async throws -> ObjectHistory {
        try await source.read { context in
            let past = try ObjectPast(uri, context, journal)
            return ObjectHistory(
                object: past.objectID.reference,
                entity: past.entity.name ?? "",
                exists: past.exists,
                moments: past.states.reversed().map { Moment($0, past) }
            )
        }
    }
}

extension ObjectHistory.Moment {
    init(_ state: ObjectPast.State, _ past: ObjectPast) {
        id = state.id
        date = state.date
        author = state.author
        context = state.context
        kind = state.kind
        values = past.names.map { name in
            let value = state.values[name]
            return ObjectHistory.Value(
                name: name,
                text: (value ?? nil).map { ValueText.text($0) },
                isKnown: value != nil,
                isChanged: state.changed.contains(name)
            )
        }
        isRestorable = !past.restorable(state).isEmpty
    }
}
