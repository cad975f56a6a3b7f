// A case of the benchmark as a value: its name, goals, sizes and one entrant for each subject. The files under Cases
// create them, Runner times them, Report prints them.

/// An operation measured for several subjects.
struct BenchmarkCase {
    /// The quantity that a case measures.
    enum Measure {
        /// Nanoseconds of the work, divided by the number of units at a size.
        case time((_ rows: Int) -> Int)
        /// Milliseconds of the whole work.
        case wholeTime
        /// The growth of the process in bytes per row. Every round runs in a child process.
        case memory
    }

    /// The name in the table and on the command line.
    var name: String
    /// The goals of ManagedGraph.
    var goals: [Goal] = []
    /// The subject that ratios refer to.
    var yardstick = SubjectName.cAPI
    /// The numbers of rows of a default run.
    var sizes: [Int]
    /// Further numbers of rows, measured with `--growth`.
    var growth: [Int] = []
    /// Whether `--scaling` measures the case: its rows are those of a table, and its work is linear.
    var scales = true
    var measure = Measure.time { $0 }
    /// Whether to measure peak memory; false if other processes do the work.
    var measuresPeak = true
    /// The subjects in the order of the table.
    var entrants: [Entrant]

    /// The numbers of rows between which the cost of a row must not grow; none for a case that is not measured so.
    var scalingSizes: [Int] { if case .time = measure, scales { [20_000, 2_000_000] } else { [] } }

    /// The case with only the included entrants.
    func keeping(_ isIncluded: (_ subject: String) -> Bool) -> BenchmarkCase {
        var result = self
        result.entrants = entrants.filter { isIncluded($0.subject) }
        return result
    }
}

/// The timed part of a case.
typealias Work = () throws -> Outcome
