// read-during-save: the latency of a small fetch while another thread saves. Fetches are paced so that the reader takes
// no processor time from the writer: each begins a quarter of a millisecond after the previous one ended.
import Foundation
import Synchronization

/// Small fetches of one client while another inserts as many rows as the file holds.
enum ReadDuringSave {
    static var cases: [BenchmarkCase] { [.sharing("read-during-save", round)] }

    private static func round(_ file: @escaping SharedFile, _ expected: ExpectedRows) throws -> Outcome {
        let isSaved = Atomic(false)
        let save = Mutex(0.0)
        let fetches = Mutex<[Double]>([])
        try Threads.run([
            {
                let client = try file()
                return {
                    defer { isSaved.store(true, ordering: .releasing) }
                    let nanoseconds = try Runner.timed { try client.insert(expected.rows) }.0
                    save.withLock { $0 = nanoseconds }
                }
            },
            {
                let client = try file()
                try expected.fetchOne(0, client)
                return {
                    var durations: [Double] = []
                    repeat {
                        let position = expected.position(durations.count)
                        durations.append(try Runner.timed { try expected.fetchOne(position, client) }.0)
                        usleep(250)
                    } while !isSaved.load(ordering: .acquiring)
                    fetches.withLock { $0 = durations.sorted() }
                }
            },
        ])
        let sorted = fetches.withLock { $0 }
        var outcome = Outcome(expected.checksum)
        outcome.nanoseconds = save.withLock { $0 }
        outcome.figures = [
            Figure("milliseconds", sorted[sorted.count - 1] / 1e6),
            Figure("medianMilliseconds", Measurement.median(sorted) / 1e6),
            Figure("percentile99Milliseconds", sorted[(sorted.count - 1) * 99 / 100] / 1e6),
            Figure("fetches", Double(sorted.count)),
        ]
        return outcome
    }
}
