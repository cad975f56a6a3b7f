// What a second reading thread adds: 1 where the readers take turns, 2 where neither waits for the other.

/// The throughput of two reading threads over that of one.
enum TwoReaders: SharingCase {
    static let name = "two-readers"

    private typealias Work = @Sendable (any Client) throws -> Void

    static func round(_ file: any SharedFile, _ expected: ExpectedRows) throws -> SharingRound {
        let fetches = max(1, expected.rows.count / 20)
        let all: Work = { try expected.fetchAll($0) }
        let small: Work = { client in
            for number in 0..<fetches {
                try expected.fetchOne(expected.position(number), client)
            }
        }
        let one = try time(of: 1, file, expected, all)
        let two = try time(of: 2, file, expected, all)
        let smallOne = try time(of: 1, file, expected, small)
        let smallTwo = try time(of: 2, file, expected, small)
        return SharingRound(
            nanosecondsPerRow: one / Double(expected.rows.count),
            figures: [
                Figure("speedUp", 2 * one / two),
                Figure("smallFetchSpeedUp", 2 * smallOne / smallTwo),
                Figure("nanosecondsPerSmallFetch", smallOne / Double(fetches)),
            ]
        )
    }

    /// Nanoseconds that `count` threads take which each do the same work once.
    private static func time(
        of count: Int,
        _ file: any SharedFile,
        _ expected: ExpectedRows,
        _ work: @escaping Work
    ) throws -> Double {
        let body: Threads.Body = {
            let client = try file.makeClient()
            try expected.fetchOne(0, client)
            return { try work(client) }
        }
        return try Threads.run(Array(repeating: body, count: count))
    }
}
