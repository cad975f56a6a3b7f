// Puts an object back to a state of its history, through the object graph: as a change that is validated and saved. A deleted
// object is inserted again, with a new identifier.
import CoreData
import Foundation

enum Restoration {
    /// The request of a page.
    struct Wish: Decodable, Sendable {
        var uri: String
        /// The state's identifier.
        var moment: String
        /// Whether to save; otherwise the changes are only validated and listed.
        var saves: Bool
    }

    /// The changes.
    struct Outcome: Encodable, Sendable {
        struct Change: Encodable, Sendable {
            var name: String
            var before: String?
            var after: String?
        }

        var object: String
        var uri: String
        /// Whether the object is inserted again.
        var isInserted: Bool
        var changes: [Change]
        var isSaved: Bool
        /// References to objects that no longer exist, which are left out.
        var lost: [String]
    }

    static func restore(_ wish: Wish, in source: StudioSource, journal: SaveJournal?) async throws -> Outcome {
        let work: @Sendable (NSManagedObjectContext) throws -> Outcome = { context in
            try restore(wish, context, journal)
        }
        return wish.saves ? try await source.write(author: "studio", work) : try await source.read(work)
    }

    private static func restore(_ wish: Wish, _ context: NSManagedObjectContext, _ journal: SaveJournal?) throws
        -> Outcome
    {
        let past = try ObjectPast(wish.uri, context, journal)
        guard let state = past.states.first(where: { $0.id == wish.moment }) else {
            throw StudioError(
                "The object has no state \(wish.moment).",
                remedy: "Reload the page: the history may have been shortened.",
                status: .notFound
            )
        }
        let object =
            past.object
            ?? NSEntityDescription.insertNewObject(forEntityName: past.entity.name ?? "", into: context)
        var outcome = Outcome(
            object: past.objectID.reference,
            uri: wish.uri,
            isInserted: !past.exists,
            changes: [],
            isSaved: false,
            lost: []
        )
        for (name, value) in past.restorable(state).sorted(by: { $0.key < $1.key }) {
            var value = value
            let currentValue = object.primitiveValue(forKey: name)
            let before = (currentValue as? NSManagedObject)?.objectID ?? currentValue
            if let objectID = value as? NSManagedObjectID {
                guard let relatedObject = try? context.existingObject(with: objectID) else {
                    outcome.lost.append("\(name): \(objectID.reference)")
                    continue
                }
                object.setValue(relatedObject, forKey: name)
                value = objectID
            } else {
                object.setValue(value, forKey: name)
            }
            outcome.changes.append(
                Outcome.Change(
                    name: name,
                    before: before.map { ValueText.text($0) },
                    after: value.map { ValueText.text($0) }
                )
            )
        }
        if past.exists { try object.validateForUpdate() } else { try object.validateForInsert() }
        guard wish.saves else { return outcome }
        try context.save()
        outcome.isSaved = true
        outcome.object = object.objectID.reference
        outcome.uri = object.objectID.uriRepresentation().absoluteString
        return outcome
    }
}
