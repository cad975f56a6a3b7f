// The error for all parts of the benchmark.

/// The reason why a run cannot be trusted.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
