// batch-delete: deletes a fifth of the rows, without objects.
import GRDB
import ManagedGraph

enum BatchDelete {
    static var cases: [BenchmarkCase] {
        [
            FifthOfEntries.makeCase(
                "batch-delete",
                goal: 1.3,
                sql: "DELETE FROM entry WHERE \(FifthOfEntries.condition)",
                grdb: { try FifthOfEntries.records.deleteAll($0) },
                request: {
                    let entries = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
                    entries.predicate = FifthOfEntries.predicate
                    return NSBatchDeleteRequest(fetchRequest: entries)
                }
            )
        ]
    }
}
