// The rows of a full file, with what the reads of a case must give.

/// The rows that a file holds, and their checksum.
struct ExpectedRows: Sendable {
    var rows: [InputRow]
    var checksum: Checksum

    /// A position for each number, scattered over the rows.
    func position(_ number: Int) -> Int { number &* 7919 % rows.count }

    /// Fetches all rows, and throws where another value came back than was written.
    func fetchAll(_ client: any Client) throws {
        let read = try client.fetch()
        guard read == checksum else { throw BenchmarkError("\(type(of: client)) read \(read), not \(checksum).") }
    }

    /// Fetches one row, and throws where another value came back than was written.
    func fetchOne(_ position: Int, _ client: any Client) throws {
        guard try client.fetchOne(position) == Checksum(of: rows[position...position]) else {
            throw BenchmarkError("\(type(of: client)) read another row than number \(position).")
        }
    }
}
