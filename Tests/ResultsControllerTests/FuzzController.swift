// A controller with an audience, and the state that the audience has built from its notifications.
import Foundation

@testable import ManagedGraph

/// A controller with an audience, and the state that the audience has built from its notifications.
final class FuzzController {
    enum Audience: CaseIterable {
        case table
        case snapshots
        case differences
        case nobody
    }

    let controller: NSFetchedResultsController<ResultTask>
    let audience: Audience
    private(set) var table = TableDelegate()
    private var snapshots = SnapshotRecorder()
    private var differences = DifferenceRecorder()
    private let mailbox: DifferenceMailbox?
    private var identifiers: [NSManagedObjectID] = []
    private var content = FetchedResultsContent()
    private var hasEntered = false

    init(_ controller: NSFetchedResultsController<ResultTask>, _ audience: Audience, listens: Bool) {
        self.controller = controller
        self.audience = audience
        mailbox = listens ? DifferenceMailbox() : nil
        setDelegate()
    }

    func setDelegate() {
        switch audience {
        case .table: controller.delegate = table
        case .snapshots: controller.delegate = snapshots
        case .differences: controller.delegate = differences
        case .nobody: controller.delegate = nil
        }
    }

    func fetch() throws {
        try controller.performFetch()
        table.rows = rows
        identifiers = shownIdentifiers.flatMap(\.objectIDs)
        differences.differences = []
        if let mailbox, !hasEntered { controller.tracker.broadcast.enter(mailbox) }
        hasEntered = true
    }

    /// Objects by section.
    var rows: [[NSManagedObject]] {
        (controller.sections ?? []).map { ($0.objects ?? []).compactMap { $0 as? NSManagedObject } }
    }

    /// IDs by section, as delivered.
    private var shownIdentifiers: [FetchedResultsContent.Section] {
        controller.tracker.content(controller.tracker.visible).sections
    }

    /// For debugging one world.
    var description: String { "\(audience)\(mailbox == nil ? "" : ", listens") \(content.sections)" }

    /// Describes the first error in the audience's state; nil if it is correct.
    func complaint(drains: Bool, checksKeys: Bool) -> String? {
        if checksKeys { controller.tracker.list?.checkInvariants() }
        if checksKeys, let stale = controller.tracker.list?.objectsWithStaleKeys, !stale.isEmpty {
            return "no notification reported \(stale)"
        }
        for object in controller.tracker.list?.objects ?? [] where checksKeys && !object.isDeleted {
            if controller.managedObjectContext.registeredObject(for: object.objectID) !== object {
                return "\(object.objectID) has two objects"
            }
        }
        let follows = controller.delegate != nil || mailbox != nil
        let sections = shownIdentifiers
        if audience == .table, table.rows != rows { return "the table has \(table.rows), not \(rows)" }
        if audience == .snapshots, follows, let last = snapshots.snapshots.last {
            let shown = (last.sectionIdentifiers as? [String] ?? []).map { name in
                FetchedResultsContent.Section(
                    name: name,
                    objectIDs: last.itemIdentifiersInSection(withIdentifier: name) as? [NSManagedObjectID] ?? []
                )
            }
            if shown != sections { return "the snapshot has \(shown), not \(sections)" }
            if !snapshots.others.isEmpty { return "beside snapshots there was \(snapshots.others)" }
            snapshots.snapshots = [last]
        }
        if audience == .differences, controller.sectionNameKeyPath == nil {
            for difference in differences.differences {
                guard let next = identifiers.applying(difference) else { return "a difference does not apply" }
                identifiers = next
            }
            differences.differences = []
            if identifiers != sections.flatMap(\.objectIDs) { return "differences led to other IDs" }
        }
        guard drains, let mailbox else { return nil }
        while let difference = mailbox.take() { content.apply(difference) }
        return content.sections == sections ? nil : "the sequence led to \(content.sections), not \(sections)"
    }
}
