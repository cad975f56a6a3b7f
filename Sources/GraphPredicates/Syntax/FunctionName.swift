// The functions that a format or NSExpression(forFunction:arguments:) may call, by Apple's names. Used by the parser
// (short names), the printer (infix operators) and the evaluator.

/// A function of the predicate language; the raw value is its full name.
package enum FunctionName: String, CaseIterable, Sendable {
    case average = "average:"
    case sum = "sum:"
    case count = "count:"
    case min = "min:"
    case max = "max:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case raise = "raise:toPower:"
    case squareRoot = "sqrt:"
    case log = "log:"
    case naturalLog = "ln:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case random = "random"
    case randomBelow = "random:"
    case randomN = "randomn:"
    case now = "now"
    case bitAnd = "bitwiseAnd:with:"
    case bitOr = "bitwiseOr:with:"
    case bitXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"
    case tokenize = "tokenize:using:"
    case cast = "castObject:toType:"
    case distance = "distanceToLocation:fromLocation:"
    case noIndex = "noindex:"
    case objectAtIndex = "objectFrom:withIndex:"
    case indexed = "indexed:by:"
    case distinct = "distinct:"

    /// The number of arguments; aggregates also accept several values instead of one collection.
    package var argumentCount: Int { rawValue.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) } }

    /// Whether the function reduces a collection to one value.
    package var isAggregate: Bool {
        switch self {
        case .average, .sum, .count, .min, .max, .median, .mode, .standardDeviation: return true
        default: return false
        }
    }

    /// The infix operator for the function.
    package var infix: InfixOperator? { InfixOperator.all.first { $0.function == self } }

    /// The function for a name before parentheses: its full name, or the name without colons (`sum`, `now`).
    package static func named(_ name: String, argumentCount: Int) -> FunctionName? {
        let exact = FunctionName(rawValue: name)
        if let exact, exact.argumentCount == argumentCount || exact.isAggregate { return exact }
        let candidates = shortNames[name] ?? shortNames[name.lowercased()] ?? []
        return candidates.first { $0.argumentCount == argumentCount } ?? exact ?? candidates.first
    }

    private static let shortNames: [String: [FunctionName]] = Dictionary(grouping: allCases) { function in
        String(function.rawValue.prefix { $0 != ":" })
    }
}
