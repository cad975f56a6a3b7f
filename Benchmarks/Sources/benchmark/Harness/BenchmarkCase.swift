// A case of the benchmark as a value: its name, goals, sizes and one entrant for each subject. The files under Cases
// make them; Runner times them, Report prints them.

/// An operation that is measured for several subjects.
struct BenchmarkCase {
    /// The quantity that a case measures.
    enum Measure {
        /// Nanoseconds of the work, divided by the number of units at a size.
        case time((_ rows: Int) -> Int)
        /// Milliseconds of the whole work.
        case wholeTime
        /// Bytes a row by which the work makes the process grow. Every round runs in a child process.
        case memory
    }

    /// The name in the table and on the command line.
    var name: String
    /// The goals of ManagedGraph.
    var goals: [Goal] = []
    /// The subject to which the ratios are.
    var yardstick = SubjectName.cAPI
    /// The numbers of rows of a default run.
    var sizes: [Int]
    /// Further numbers of rows, measured with `--growth`.
    var growth: [Int] = []
    var measure = Measure.time { $0 }
    /// Whether the peak of memory is measured; not where the work is done by other processes.
    var measuresPeak = true
    /// The subjects in the order of the table.
    var entrants: [Entrant]

    /// The case without the entrants that a run leaves out.
    func keeping(_ isIncluded: (_ subject: String) -> Bool) -> BenchmarkCase {
        var result = self
        result.entrants = entrants.filter { isIncluded($0.subject) }
        return result
    }
}

/// How one subject does the work of a case.
struct Entrant {
    var subject: String
    /// Makes and opens files, and reads what the work starts from.
    ///
    /// It is not timed, and its work runs once.
    var prepare: (Setting) throws -> Work

    init(_ subject: String, _ prepare: @escaping (Setting) throws -> Work) {
        self.subject = subject
        self.prepare = prepare
    }
}

/// The part of a case that is timed.
typealias Work = () throws -> Outcome

/// The result of the work of one round.
struct Outcome {
    /// The sum over everything that was read or written: the same for all subjects of a case.
    ///
    /// It is not timed, and it keeps alive what it captures until the clock has stopped.
    var checksum: () throws -> Checksum
    /// The time that counts instead of that of the whole work.
    var nanoseconds: Double?
    var figures: [Figure] = []

    init(_ checksum: @escaping () throws -> Checksum) { self.checksum = checksum }

    /// An outcome that is complete when the work ends.
    init(_ checksum: Checksum) { self.checksum = { checksum } }
}

/// The names of the subjects.
///
/// A case may have others for variants of ManagedGraph.
enum SubjectName {
    static let cAPI = "c-api"
    static let grdbRow = "grdb-row"
    static let grdbCodable = "grdb-codable"
    static let grdbPool = "grdb-pool"
    static let managedGraph = "managedgraph"
}
