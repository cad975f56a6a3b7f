// Which attribute types a lightweight migration turns into each other: Apple's converts numbers among themselves and nothing
// else. Called by MappingInference; the planner makes SQL of it.

/// A change of an attribute's type that keeps its values as numbers.
package struct NumberConversion: Sendable, Hashable {
    package var source: AttributeType
    package var destination: AttributeType

    /// The conversion of one type into another; nil if they are the same, or if one of them is no number.
    package init?(from source: AttributeType, to destination: AttributeType) {
        guard source != destination, source.isNumeric, destination.isNumeric else { return nil }
        self.source = source
        self.destination = destination
    }
}

extension AttributeType {
    /// Whether its values are numbers; a Boolean is 0 or 1.
    package var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }

    /// The least and the greatest value of an integer type; nil for other types.
    package var wholeNumbers: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }
}
