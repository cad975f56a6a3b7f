// The collection operators of key paths, such as @count and @sum, and their evaluation.
import Foundation

/// A collection operator of a key path that takes a path of its own.
enum CollectionOperator: String {
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfSets = "@distinctUnionOfSets"

    /// Applies the operator to the value of `path` for each element; a single value counts as a collection of one.
    func apply(to value: EvaluatedValue, path: KeyPathReader) throws -> EvaluatedValue {
        if value.isNull { return .null }
        var values: [EvaluatedValue] = []
        for element in value.elements ?? [value] {
            let result = try path.read(from: element)
            // For the union operators, the path may give a collection for each element; those are joined.
            values += result.elements ?? [result]
        }
        switch self {
        case .sum: return try FunctionName.sum.reduce(values)
        // Key-value coding counts a missing value as 0 in an average.
        case .average: return try FunctionName.average.reduce(values.map { $0.isNull ? .integer(0) : $0 })
        case .minimum: return try FunctionName.min.reduce(values)
        case .maximum: return try FunctionName.max.reduce(values)
        case .unionOfObjects, .unionOfArrays, .unionOfSets:
            return EvaluatedValue(elements: values.filter { !$0.isNull }, isUnordered: self == .unionOfSets)
        case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
            return EvaluatedValue(
                elements: HashedValue.distinct(values.filter { !$0.isNull }),
                isUnordered: self != .distinctUnionOfArrays
            )
        }
    }
}
