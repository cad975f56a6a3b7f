// The integers that an attribute accepts, in the tables that validation reads.

/// Two limits, both accepted.
///
/// A list of the standard library's ranges searches all conformances of the program once, when a model is first used.
struct IntegerRange {
    private let least: Int64
    private let greatest: Int64

    init(_ range: ClosedRange<Int64>) {
        least = range.lowerBound
        greatest = range.upperBound
    }

    func contains(_ number: Int64) -> Bool { least <= number && number <= greatest }
}
