// The libraries used by several threads at the same time: a file, and a client for each thread.
import Foundation
import GRDB
import ManagedGraph

/// A thread's access to the file.
protocol Client: AnyObject {
    /// Writes the rows durably in one transaction.
    func insert(_ rows: [InputRow]) throws

    /// Fetches all rows as objects or records, then reads every value of each.
    func fetch() throws -> Checksum

    /// Fetches the row at a position in the order of insertion by its key, then reads every value of it.
    func fetchOne(_ position: Int) throws -> Checksum
}

/// A file open for all threads; creates a client for one of them.
typealias SharedFile = @Sendable () throws -> any Client

extension BenchmarkCase {
    /// A case in which threads share a file.
    ///
    /// Each subject has a copy of a full file.
    static func sharing(
        _ name: String,
        _ round: @escaping (_ file: @escaping SharedFile, _ expected: ExpectedRows) throws -> Outcome
    ) -> BenchmarkCase {
        BenchmarkCase(
            name: name,
            sizes: [200_000],
            scales: false,
            entrants: [
                Entrant(SubjectName.cAPI) { setting in
                    let file = try setting.copy(setting.plain(.entries))
                    let expected = ExpectedRows(setting.entries)
                    return { try round({ try CClient(file) }, expected) }
                },
                Entrant(SubjectName.grdbPool) { setting in
                    let file = try setting.copy(setting.plain(.entries))
                    let pool = try GRDBFile.open(file, .entries) { try DatabasePool(path: $0) }
                    let expected = ExpectedRows(setting.entries)
                    return { try round({ GRDBClient(pool) }, expected) }
                },
                Entrant(SubjectName.managedGraph) { setting in
                    let store = try setting.store(setting.copy(setting.managed(.entries)))
                    let expected = ExpectedRows(setting.entries)
                    return { try round({ ManagedGraphClient(store) }, expected) }
                },
            ]
        )
    }
}
