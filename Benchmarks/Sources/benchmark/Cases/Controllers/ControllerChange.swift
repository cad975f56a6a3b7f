// controller-change…: changes objects of a results controller, which calls its delegate. Neither C nor GRDB has such a
// controller, so the goals are absolute.
import Foundation
import ManagedGraph

enum ControllerChange {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "controller-change",
                goals: [.microseconds(20)],
                sizes: [10_000, 100_000, 1_000_000],
                measure: .time { _ in 300 },
                entrants: [
                    Entrant(SubjectName.managedGraph) { try prepare($0, isWarm: true, events: 300, changesPerEvent: 1) }
                ]
            ),
            BenchmarkCase(
                name: "controller-change-first",
                goals: [.microseconds(20)],
                sizes: [10_000, 100_000, 1_000_000],
                measure: .time { _ in 1 },
                entrants: [
                    Entrant(SubjectName.managedGraph) { try prepare($0, isWarm: false, events: 1, changesPerEvent: 1) }
                ]
            ),
            BenchmarkCase(
                name: "controller-changes",
                goals: [.microseconds(5)],
                sizes: [100_000],
                measure: .time { _ in 1000 },
                entrants: [
                    Entrant(SubjectName.managedGraph) {
                        try prepare($0, isWarm: true, events: 1, changesPerEvent: 1000)
                    }
                ]
            ),
        ]
    }

    private final class Listener: NSFetchedResultsControllerDelegate {
        var changes = 0
        var events = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange anObject: Any,
            at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {
            changes += 1
        }

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            events += 1
        }
    }

    /// Each change moves a person to the end of its section.
    private static func prepare(_ setting: Setting, isWarm: Bool, events: Int, changesPerEvent: Int) throws -> Work {
        let rows = setting.rows
        let store = try setting.store(setting.managed(.people))
        let context = store.context()
        let controller = ControllerFetch.controller(context)
        let listener = Listener()
        let people = try context.performAndWait {
            controller.delegate = listener
            try controller.performFetch()
            let people = try context.fetch(Person.fetchRequest())
            if isWarm, let last = people.last {
                last.number += Int64(rows)
                context.processPendingChanges()
            }
            return people
        }
        let previous = (events: listener.events, changes: listener.changes)
        return {
            context.performAndWait {
                var next = 0
                for _ in 0..<events {
                    for _ in 0..<changesPerEvent {
                        people[next &* 7919 % people.count].number += Int64(rows)
                        next += 1
                    }
                    context.processPendingChanges()
                }
            }
            return Outcome {
                let reported = listener.events - previous.events
                guard reported == events, listener.changes - previous.changes == events * changesPerEvent else {
                    throw BenchmarkError("The delegate was called for \(reported) events, not \(events).")
                }
                return withExtendedLifetime(controller) { Checksum(rows: reported, value: 0) }
            }
        }
    }
}
