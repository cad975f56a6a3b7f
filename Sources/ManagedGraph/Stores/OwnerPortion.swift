// The number of objects whose related objects are read at once, so that memory holds some thousands of them whether an object
// has two or a thousand. Used by copies and comparisons of whole stores.

/// A number of owners that follows from the number of members that the owners before had.
package struct OwnerPortion {
    /// The number of members to read at once, as far as one owner does not have more.
    private static let members = 8_192
    /// A first guess: 128 members each.
    private static let first = 64

    /// The number of owners to read next.
    package private(set) var count = Self.first

    package init() {}

    /// Takes the next owners from a list.
    package func next(of owners: ArraySlice<Int64>) -> ArraySlice<Int64> { owners.prefix(count) }

    /// Adapts the number of owners; it grows slowly, as the owners that follow may have more members.
    ///
    /// - Parameters:
    ///   - owners: The number of owners read.
    ///   - members: The number of their members.
    package mutating func note(owners: Int, members: Int) {
        let targetCount = Self.members * owners / max(1, members)
        count = max(1, min(targetCount, count * 4, Self.members))
    }
}
