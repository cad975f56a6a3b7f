// The conversions of attribute types in a lightweight migration: Apple's converts numbers to other numbers, nothing
// else. Called by MappingInference; the planner translates conversions to SQL.

/// A change of an attribute's type that keeps its values as numbers.
package struct NumberConversion: Sendable, Hashable {
    package var source: AttributeType
    package var destination: AttributeType

    /// The conversion from one type to another; nil if they are the same, or if one is not numeric.
    package init?(from source: AttributeType, to destination: AttributeType) {
        guard source != destination, source.isNumeric, destination.isNumeric else { return nil }
        self.source = source
        self.destination = destination
    }
}

extension AttributeType {
    /// Whether the values are numbers; a Boolean is 0 or 1.
    package var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }

    /// The range of an integer type; nil for other types.
    package var wholeNumbers: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }
}
