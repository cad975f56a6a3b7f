// The rows of the other tables, generated from a position: items with an indexed key, people with names, employees.

/// The values of an item, looked up by key.
struct ItemRow {
    var key: Int64
    var text: String
    var amount: Double

    init(_ index: Int) {
        key = Self.key(index)
        text = "item number " + String(10_000_000 + index).suffix(7)
        amount = Double(index) * 0.5
    }

    /// The key of a row: unique, and scattered so that neighbors in the table are not neighbors in the index.
    static func key(_ index: Int) -> Int64 { Int64((UInt64(index) &* 0x9e37_79b9_7f4a_7c15) >> 24) }
}
