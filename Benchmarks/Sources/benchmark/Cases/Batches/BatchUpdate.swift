// batch-update: sets a column in a fifth of the rows, without objects.
import GRDB
import ManagedGraph

enum BatchUpdate {
    static var cases: [BenchmarkCase] {
        [
            FifthOfEntries.makeCase(
                "batch-update",
                goal: 1.2,
                sql: "UPDATE entry SET amount = -1 WHERE \(FifthOfEntries.condition)",
                grdb: { try FifthOfEntries.records.updateAll($0, Column("amount").set(to: -1)) },
                request: {
                    let request = NSBatchUpdateRequest(entity: Entry.entity())
                    request.predicate = FifthOfEntries.predicate
                    request.propertiesToUpdate = ["amount": -1.0]
                    return request
                }
            )
        ]
    }
}
