// Apple's constants for the operators of key paths. Used by code that puts key paths together; the language itself knows
// the operators by their spelling (CollectionOperator).

/// The name of an operator of key paths, without the `@` that stands before it there.
///
/// See [NSKeyValueOperator](https://developer.apple.com/documentation/foundation/nskeyvalueoperator).
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Names an operator.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The average of numbers, `@avg`; a missing one counts as 0.
    public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
    /// The number of elements, `@count`.
    public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
    /// The different elements of the arrays, `@distinctUnionOfArrays`.
    public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
    /// The different values, `@distinctUnionOfObjects`.
    public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
    /// The different elements of the sets, `@distinctUnionOfSets`.
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
