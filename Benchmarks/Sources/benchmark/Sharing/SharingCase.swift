// The cases in which threads share a file. Each measures one round of one subject; the runner repeats the rounds.

/// A case in which threads share a file.
protocol SharingCase {
    /// The name in the table and on the command line.
    static var name: String { get }

    /// Measures one round on a file that holds the rows.
    static func round(_ file: any SharedFile, _ expected: ExpectedRows) throws -> SharingRound
}

/// What one round has measured.
struct SharingRound {
    /// What a row takes in the work that the others share the file with.
    var nanosecondsPerRow: Double
    /// The figures of the case, in each round with the same names.
    var figures: [Figure]
}

/// All cases in which threads share a file, in the order of the table.
var allSharingCases: [any SharingCase.Type] { [ReadDuringSave.self, TwoReaders.self] }
