// Apple's constants for the operators of key paths. Used by code that builds key paths; the language itself identifies
// the operators by their text (CollectionOperator).

/// The name of a key path operator, without the leading `@`.
///
/// See [NSKeyValueOperator](https://developer.apple.com/documentation/foundation/nskeyvalueoperator).
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes an operator with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The average of numbers, `@avg`; a missing one counts as 0.
    public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
    /// The number of elements, `@count`.
    public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
    /// The distinct elements of the arrays, `@distinctUnionOfArrays`.
    public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
    /// The distinct values, `@distinctUnionOfObjects`.
    public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
    /// The distinct elements of the sets, `@distinctUnionOfSets`.
    public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfSets")
    /// The greatest value, `@max`.
    public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
    /// The least value, `@min`.
    public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
    /// The sum of numbers, `@sum`.
    public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
    /// The elements of the arrays, `@unionOfArrays`.
    public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
    /// The values, `@unionOfObjects`.
    public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
    /// The elements of the sets, `@unionOfSets`.
    public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
