// The rows that the file of a sharing case holds, and their checksum.
import Foundation
import GRDB
import ManagedGraph

/// The rows that a file holds, and their checksum.
struct ExpectedRows: Sendable {
    var rows: [InputRow]
    var checksum: Checksum

    init(_ rows: [InputRow]) {
        self.rows = rows
        checksum = Checksum(of: rows)
    }

    /// A position for each number, scattered across the rows.
    func position(_ number: Int) -> Int { number &* 7919 % rows.count }

    /// Fetches all rows, and throws if a value differs from the one written.
    func fetchAll(_ client: any Client) throws {
        let read = try client.fetch()
        guard read == checksum else { throw BenchmarkError("\(type(of: client)) read \(read), not \(checksum).") }
    }

    /// Fetches one row, and throws if a value differs from the one written.
    func fetchOne(_ position: Int, _ client: any Client) throws {
        guard try client.fetchOne(position) == Checksum(of: rows[position...position]) else {
            throw BenchmarkError("\(type(of: client)) read another row than number \(position).")
        }
    }
}
