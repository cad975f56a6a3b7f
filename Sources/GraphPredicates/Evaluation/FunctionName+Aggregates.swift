// The functions that reduce a collection to one value. They skip missing values; for an empty collection they return
// the results of key-value coding: 0 for sums and averages, nil for the rest.

import Foundation

extension FunctionName {
    /// Applies an aggregate.
    ///
    /// - Throws: `EvaluationError.badArgument` if an element is not a number.
    func reduce(_ elements: [EvaluatedValue]) throws -> EvaluatedValue {
        if self == .count { return .integer(Int64(elements.count)) }
        let values = elements.filter { !$0.isNull }
        switch self {
        case .min: return extreme(values, .orderedAscending)
        case .max: return extreme(values, .orderedDescending)
        case .mode: return EvaluatedValue(elements: FunctionName.mostFrequent(values))
        case .sum: return try sum(values)
        default: break
        }
        guard !values.isEmpty else { return self == .average ? .integer(0) : .null }
        switch self {
        case .average:
            let total = try sum(values)
            if case .decimal(let decimal) = total { return .decimal(decimal / Decimal(values.count)) }
            return total.doubleValue.map { .computed($0 / Double(values.count)) } ?? .null
        case .median: return .computed(FunctionName.median(try numbers(values)))
        case .standardDeviation:
            let numbers = try numbers(values)
            let mean = numbers.reduce(0, +) / Double(numbers.count)
            let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
            return .computed(variance.squareRoot())
        default: throw EvaluationError.unknownFunction(rawValue)
        }
    }

    private func sum(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
        let integers = values.compactMap(\.wholeNumber)
        guard integers.count == values.count else {
            return try values.reduce(.integer(0)) { try FunctionName.add.calculate($0, $1) }
        }
        var sum = IntegerSum()
        for integer in integers { sum.add(integer) }
        return sum.integer.map { .integer($0) } ?? .real(sum.real)
    }

    private func numbers(_ values: [EvaluatedValue]) throws -> [Double] {
        try values.map { value in
            guard let number = value.doubleValue else {
                throw EvaluationError.badArgument(function: rawValue, reason: "an element is not a number.")
            }
            return number
        }
    }

    private func extreme(_ values: [EvaluatedValue], _ preferredOrder: ComparisonResult) -> EvaluatedValue {
        guard var best = values.first else { return .null }
        for value in values.dropFirst() where value.order(against: best) == preferredOrder { best = value }
        return best
    }

    private static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    private static func mostFrequent(_ values: [EvaluatedValue]) -> [EvaluatedValue] {
        var counts: [HashedValue: Int] = [:]
        for value in values { counts[HashedValue(value: value), default: 0] += 1 }
        let highest = counts.values.max() ?? 0
        return HashedValue.distinct(values).filter { counts[HashedValue(value: $0)] == highest }
    }
}
