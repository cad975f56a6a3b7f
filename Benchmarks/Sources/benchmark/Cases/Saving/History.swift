// history-insert and history-update: what a store's history adds to insert-save and update-save. The yardstick is the
// same work without a history.
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
        return { try InsertSave.insert(rows, into: store) }
    }

    private static func update(_ setting: Setting, keepsHistory: Bool) throws -> Work {
        let file = try setting.copy(setting.managed(.entries))
        return try UpdateSave.managed(setting, setting.store(file, keepsHistory: keepsHistory))
    }
}
