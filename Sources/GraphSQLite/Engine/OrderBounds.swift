// The last numbers of ordered relationships between saves. Owned by the writer.

/// Numbers above which no member is, so that a save that appends one does not read the numbers of all.
///
/// They hold until another connection writes the file. A member that leaves, or a save that is rolled back, leaves a number that
/// is too great, which does no harm.
struct OrderBounds {
    /// The most owners that are remembered.
    static let limit = 4096
    private var numbers: [OrderEnd: Int64] = [:]

    subscript(end: OrderEnd) -> Int64? { numbers[end] }

    mutating func note(_ number: Int64, at end: OrderEnd) {
        if numbers.count >= Self.limit, numbers[end] == nil { numbers = [:] }
        numbers[end] = number
    }

    mutating func forget() { if !numbers.isEmpty { numbers = [:] } }
}
