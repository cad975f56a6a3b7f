// A slot whose values predicates read without boxing, and the type of these values.

/// The index and the type of a property's values.
package struct ReadableSlot {
    /// The accessor that reads the values of a slot.
    package enum Kind {
        case integer, real, date, text
        /// As evaluated values only.
        case other
    }

    package let index: Int
    package let kind: Kind

    package init(index: Int, kind: Kind) {
        self.index = index
        self.kind = kind
    }
}
