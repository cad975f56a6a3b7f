// A readable explanation of how an engine runs a fetch. Created by sessions that conform to ExplainingReadSession;
// values only.

/// The plan and cost of a fetch.
package struct FetchExplanation: Sendable {
    /// The statement in the engine's language; nil if it has none.
    package var statement: String?
    /// The values of its parameters, as literals of that language.
    package var bindings: [String]
    /// The steps, in order; substeps are indented.
    package var steps: [String]
    /// The number of result rows.
    package var rows: Int
    /// Rows visited in full table scans.
    package var scannedRows: Int
    /// Whether the rows were sorted without an index.
    package var isSorted: Bool
    package var seconds: Double

    package init(
        statement: String? = nil,
        bindings: [String] = [],
        steps: [String],
        rows: Int = 0,
        scannedRows: Int = 0,
        isSorted: Bool = false,
        seconds: Double = 0
    ) {
        self.statement = statement
        self.bindings = bindings
        self.steps = steps
        self.rows = rows
        self.scannedRows = scannedRows
        self.isSorted = isSorted
        self.seconds = seconds
    }
}
