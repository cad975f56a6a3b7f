// undo: makes changes in events of a thousand, with an undo manager. The yardstick is the same work without one.
import ManagedGraph

enum Undo {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "undo",
                goals: [.ratio(1.5)],
                yardstick: SubjectName.managedGraph,
                sizes: [100_000],
                entrants: [
                    Entrant(SubjectName.managedGraph) { try prepare($0, nil) },
                    Entrant("managedgraph-undo") { try prepare($0, UndoManager()) },
                ]
            )
        ]
    }

    private static func prepare(_ setting: Setting, _ manager: UndoManager?) throws -> Work {
        let store = try setting.store(setting.managed(.entries))
        let context = store.context()
        let entries = try context.performAndWait {
            context.undoManager = manager
            return try context.allEntries()
        }
        return {
            for first in stride(from: 0, to: entries.count, by: 1000) {
                context.performAndWait {
                    for entry in entries[first..<min(entries.count, first + 1000)] { entry.amount += 1 }
                    context.processPendingChanges()
                }
            }
            return Outcome { try check(entries, context, manager) }
        }
    }

    /// Undoes everything if there is an undo manager, and sums the amounts after the changes.
    private static func check(
        _ entries: [Entry],
        _ context: NSManagedObjectContext,
        _ manager: UndoManager?
    ) throws -> Checksum {
        try context.performAndWait {
            var checksum = Checksum()
            for entry in entries { checksum.add(entry.amount) }
            guard let manager else { return checksum }
            guard manager.canUndo else { throw BenchmarkError("There is nothing to undo.") }
            while manager.canUndo { manager.undo() }
            guard entries.last?.changedValues().isEmpty == true else {
                throw BenchmarkError("A change was not undone.")
            }
            return checksum
        }
    }
}
