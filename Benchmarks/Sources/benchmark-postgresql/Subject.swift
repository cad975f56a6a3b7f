// The interface of the subjects of the comparison.

/// A way of doing the work.
protocol Subject {
    init(_ address: String) throws
    /// Prepares a run, which is not timed.
    ///
    /// - Returns: The timed work; its result is a checksum.
    func prepare(_ work: BenchmarkCase, _ rows: Int) throws -> () throws -> UInt64
}
