// How an engine answers a fetch, in words. Made by sessions that adopt ExplainingReadSession; values only.

/// What an engine does for a fetch, and what it cost.
package struct FetchExplanation: Sendable {
    /// The statement in the engine's language; nil if it has none.
    package var statement: String?
    /// The values of its marks, as the language writes them.
    package var bindings: [String]
    /// What is done, in order; what belongs to a step is indented below it.
    package var steps: [String]
    /// Rows of the result.
    package var rows: Int
    /// Rows that were stepped over in tables that were read from one end to the other.
    package var scannedRows: Int
    /// Whether the rows were sorted after they were found.
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
