// The changes that a results controller has delivered between willChangeContent and didChangeContent, with index paths
// as the delegate has received them. Recorded by FetchedRows and FilteredRows while a panel is open.
import CoreData
import Foundation
import WebSupport

/// One batch of changes of a results controller.
struct ControllerChanges: Sendable {
    /// One call of the delegate.
    struct Change: Sendable {
        let kind: String
        let objectID: NSManagedObjectID
        let old: [Int]
        let new: [Int]

        init(_ type: NSFetchedResultsChangeType, _ objectID: NSManagedObjectID, _ old: IndexPath?, _ new: IndexPath?) {
            kind =
                switch type {
                case .insert: "insert"
                case .delete: "delete"
                case .move: "move"
                case .update: "update"
                }
            self.objectID = objectID
            self.old = old.map(Array.init) ?? []
            self.new = new.map(Array.init) ?? []
        }
    }

    /// The entity that the controller fetches.
    let entity: String
    private(set) var changes: [Change] = []
    private(set) var count = 0

    init(entity: String) { self.entity = entity }

    mutating func append(_ change: Change) {
        count += 1
        if changes.count < ActivityEntry.listLimit { changes.append(change) }
    }

    var json: JSONValue {
        .object([
            ("kind", .string("controller")), ("context", .string("")), ("entity", .string(entity)),
            ("count", .integer(count)),
            (
                "changes",
                .array(
                    changes.map {
                        .array([
                            .string($0.kind), .reference($0.objectID), .array($0.old.map { .integer($0) }),
                            .array($0.new.map { .integer($0) }),
                        ])
                    }
                )
            ),
        ])
    }
}
