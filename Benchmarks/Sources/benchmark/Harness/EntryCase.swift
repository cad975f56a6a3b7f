// Cases on the entries that run the same code with both of GRDB's records. Used by the cases of AllCases.swift.
import Foundation
import GRDB

/// A case on the entries for all subjects.
protocol EntryCase {
    static func c(_ setting: Setting) throws -> Work
    static func grdb<Record: EntryRecord>(_ setting: Setting, _ type: Record.Type) throws -> Work
    static func managed(_ setting: Setting) throws -> Work
}

extension EntryCase {
    /// All subjects in the order of the table.
    static var entrants: [Entrant] {
        [
            Entrant(SubjectName.cAPI, c),
            Entrant(SubjectName.grdbRow) { try grdb($0, RowEntry.self) },
            Entrant(SubjectName.grdbCodable) { try grdb($0, CodableEntry.self) },
            Entrant(SubjectName.managedGraph, managed),
        ]
    }

    /// The case at the sizes that show whether the cost of a row grows.
    static func makeCase(
        _ name: String,
        goal: Double,
        measure: BenchmarkCase.Measure = .time { $0 }
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            goals: [.ratio(goal)],
            sizes: [20_000, 200_000],
            growth: [2_000_000],
            measure: measure,
            entrants: entrants
        )
    }

    /// A copy of the file in the C API, and its entries.
    static func copiedEntries(_ setting: Setting) throws -> (CDatabase, [CEntry]) {
        let database = try setting.c(setting.copy(setting.plain(.entries)), .entries)
        return (database, try CEntry.all(database))
    }

    /// A copy of the file in GRDB, and its entries.
    static func copiedEntries<Record: EntryRecord>(
        _ setting: Setting,
        _ type: Record.Type
    ) throws -> (URL, DatabaseQueue, [Record]) {
        let file = try setting.copy(setting.plain(.entries))
        let queue = try setting.grdb(file, .entries)
        return (file, queue, try queue.read { try Record.fetchAll($0, sql: CEntry.select) })
    }
}
