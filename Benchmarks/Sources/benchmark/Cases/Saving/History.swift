// history-insert and history-update: insert-save and update-save in a store with history tracking. The yardstick is the
// same work in a store without it.
import ManagedGraph

enum History {
    private static let withHistory = "managedgraph-history"

    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "history-insert",
                goals: [.ratio(1.15)],
                yardstick: SubjectName.managedGraph,
                sizes: [200_000],
                entrants: [
                    Entrant(SubjectName.managedGraph) { try insert($0, keepsHistory: false) },
                    Entrant(withHistory) { try insert($0, keepsHistory: true) },
                ]
            ),
            BenchmarkCase(
                name: "history-update",
                goals: [.ratio(1.25)],
                yardstick: SubjectName.managedGraph,
                sizes: [200_000],
                measure: .time { $0 / 2 },
                entrants: [
                    Entrant(SubjectName.managedGraph) { try update($0, keepsHistory: false) },
                    Entrant(withHistory) { try update($0, keepsHistory: true) },
                ]
            ),
        ]
    }

    private static func insert(_ setting: Setting, keepsHistory: Bool) throws -> Work {
        let store = try setting.store(setting.newFile(), keepsHistory: keepsHistory)
        let rows = setting.entries
        return { try checked(InsertSave.insert(rows, into: store), store, keepsHistory ? rows.count : nil) }
    }

    private static func update(_ setting: Setting, keepsHistory: Bool) throws -> Work {
        let file = try setting.copy(setting.managed(.entries))
        let store = try setting.store(file, keepsHistory: keepsHistory)
        let work = try UpdateSave.managed(setting, store)
        let changes = (setting.rows + 1) / 2
        return { try checked(work(), store, keepsHistory ? changes : nil) }
    }

    /// An outcome whose checksum fails if the history lacks a change.
    private static func checked(_ outcome: Outcome, _ store: ManagedStore, _ changes: Int?) -> Outcome {
        guard let changes else { return outcome }
        return Outcome {
            let recorded = try store.checksum("SELECT count(*), 0 FROM ACHANGE").rows
            guard recorded == changes else {
                throw BenchmarkError("The history has \(recorded) changes, not \(changes).")
            }
            return try outcome.checksum()
        }
    }
}
