// Processes that increment the same counters of a SQLite file, under each merge policy. COUNTER_PROCESSES sets their number
// (default 4), COUNTER_SAVES that of all saves (default 600).
import ExpectationSupport
import GraphSQL
import SharedStoreSupport
import Testing

@Suite(.serialized) struct SharedFileCounterTests {
    @Test("No increment is lost that a merge policy keeps, and no save fails", arguments: CounterPolicy.allCases)
    func counting(_ policy: CounterPolicy) throws {
        let (processes, counters) = (SharedStoreSetting.number("COUNTER_PROCESSES", 4), 12)
        let each = max(1, SharedStoreSetting.number("COUNTER_SAVES", 300) / CounterPolicy.allCases.count / processes)
        let file = try SharedFile(counters: counters)
        let run = try CounterRun(file.address, policy, counters: counters, processes: processes, each: each)
        let row = try file.rows("SELECT SUM(ZVALUE), SUM(Z_OPT - 1), SUM(ZVALUE = Z_OPT - 1) FROM ZCOUNTER")[0].map {
            if case .integer(let number) = $0 { Int(number) } else { -1 }
        }
        print("SQLite, \(run): values \(row[0])")
        run.check(value: row[0], writes: row[1], exact: row[2])
        expectEqual(file.problems(), [])
    }
}
