// A key path prepared for repeated reads: its collection operators are parsed once. Created by the predicate compiler
// and by sort descriptors.

import Foundation

/// A key path that can be read from objects.
package struct KeyPathReader {
    private enum Step {
        case key(String)
        case count
        /// An operator and the path after it.
        case aggregate(CollectionOperator, KeyPathReader)
        /// An operator that does not exist.
        case unknown(String)
    }

    private let steps: [Step]

    /// Prepares a path.
    package init(_ keys: [String]) {
        var steps: [Step] = []
        var index = 0
        loop: while index < keys.count {
            let key = keys[index]
            index += 1
            guard key.hasPrefix("@") else {
                if key != "self", key != "SELF" { steps.append(.key(key)) }
                continue
            }
            if key == "@count" {
                steps.append(.count)
            } else if let found = CollectionOperator(rawValue: key) {
                steps.append(.aggregate(found, KeyPathReader(Array(keys[index...]))))
                break loop
            } else {
                steps.append(.unknown(key))
            }
        }
        self.steps = steps
    }

    /// Prepares a path written with dots.
    package init(path: String) {
        self.init(path.split(separator: ".").map(String.init))
    }

    /// The value of the path.
    ///
    /// - Throws: `EvaluationError`.
    package func read(from object: EvaluatedValue) throws -> EvaluatedValue {
        var value = object
        for step in steps {
            switch step {
            case .key(let key): value = try KeyReader.read(key, from: value)
            case .count: value = KeyPathReader.count(of: value)
            case .aggregate(let found, let path): value = try found.apply(to: value, path: path)
            case .unknown(let name): throw EvaluationError.unknownFunction(name)
            }
        }
        return value
    }

    private static func count(of value: EvaluatedValue) -> EvaluatedValue {
        switch value {
        case .null: return .integer(0)
        case .collection(let collection): return .integer(Int64(collection.evaluatedCount))
        case .dictionary(let dictionary): return .integer(Int64(dictionary.evaluatedCount))
        default: return .integer(1)
        }
    }
}

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
