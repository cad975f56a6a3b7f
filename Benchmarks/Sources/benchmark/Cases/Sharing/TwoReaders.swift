// two-readers: the speedup from a second reading thread: 1 if the readers take turns, 2 if neither waits for the other.

/// The throughput of two reading threads over that of one.
enum TwoReaders {
    static var cases: [BenchmarkCase] { [.sharing("two-readers", round)] }

    private typealias ReaderWork = @Sendable (any Client) throws -> Void

    private static func round(_ file: @escaping SharedFile, _ expected: ExpectedRows) throws -> Outcome {
        let fetches = max(1, expected.rows.count / 20)
        let all: ReaderWork = { try expected.fetchAll($0) }
        let small: ReaderWork = { client in
            for number in 0..<fetches {
                try expected.fetchOne(expected.position(number), client)
            }
        }
        let one = try time(of: 1, file, expected, all)
        let two = try time(of: 2, file, expected, all)
        let smallOne = try time(of: 1, file, expected, small)
        let smallTwo = try time(of: 2, file, expected, small)
        var outcome = Outcome(expected.checksum)
        outcome.nanoseconds = one
        outcome.figures = [
            Figure("speedUp", 2 * one / two),
            Figure("smallFetchSpeedUp", 2 * smallOne / smallTwo),
            Figure("nanosecondsPerSmallFetch", smallOne / Double(fetches)),
        ]
        return outcome
    }

    /// The nanoseconds in which `count` threads each do the same work once.
    private static func time(
        of count: Int,
        _ file: @escaping SharedFile,
        _ expected: ExpectedRows,
        _ work: @escaping ReaderWork
    ) throws -> Double {
        let body: Threads.Body = {
            let client = try file()
            try expected.fetchOne(0, client)
            return { try work(client) }
        }
        return try Threads.run(Array(repeating: body, count: count))
    }
}
