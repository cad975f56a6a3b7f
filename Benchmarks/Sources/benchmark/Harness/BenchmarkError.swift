// The error of every part of the benchmark.

/// Why a run cannot be trusted.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
