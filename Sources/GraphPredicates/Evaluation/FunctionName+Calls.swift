// Calls functions of the predicate language with evaluated arguments. Called by the predicate compiler.

import Foundation

extension FunctionName {
    /// Evaluates the function.
    ///
    /// - Throws: `EvaluationError`.
    func call(_ arguments: [EvaluatedValue]) throws -> EvaluatedValue {
        if isAggregate {
            if arguments.count > 1 { return try reduce(arguments) }
            let argument = arguments.first ?? .null
            return try reduce(argument.isNull ? [] : argument.elements ?? [argument])
        }
        guard arguments.count == argumentCount else {
            throw EvaluationError.badArgument(function: rawValue, reason: "it takes \(argumentCount) arguments.")
        }
        switch self {
        case .random: return .real(Double.random(in: 0..<1))
        case .now: return .date(Date())
        case .randomBelow, .randomN:
            guard let limit = arguments[0].integerValue, limit > 0 else { return .integer(0) }
            return .integer(Int64.random(in: 0..<limit))
        case .uppercase, .lowercase, .canonical, .length: return try textual(arguments[0])
        case .tokenize: return try tokens(arguments[0], arguments[1])
        case .cast: return try cast(arguments[0], to: arguments[1])
        case .distance: return try GeographicDistance.between(arguments[0], arguments[1])
        case .noIndex: return arguments[0]
        case .objectAtIndex, .indexed: return try element(of: arguments[0], at: arguments[1])
        case .distinct:
            guard let elements = arguments[0].elements else { return arguments[0] }
            return EvaluatedValue(elements: HashedValue.distinct(elements))
        default:
            return argumentCount == 2
                ? try calculate(arguments[0], arguments[1]) : try calculate(arguments[0])
        }
    }

    private func textual(_ value: EvaluatedValue) throws -> EvaluatedValue {
        switch value {
        case .null: return .null
        case .collection(let collection): return try KeyReader.map(collection) { try textual($0) }
        case .text(let text):
            switch self {
            case .uppercase: return .text(text.uppercased())
            case .lowercase: return .text(text.lowercased())
            case .canonical: return .text(TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: true))
            default: return .integer(Int64(text.utf16.count))
            }
        default: throw EvaluationError.badArgument(function: rawValue, reason: "the argument is not a text.")
        }
    }

    private func tokens(_ text: EvaluatedValue, _ separators: EvaluatedValue) throws -> EvaluatedValue {
        if text.isNull { return .null }
        guard let text = text.text, let separators = separators.text else {
            throw EvaluationError.badArgument(function: rawValue, reason: "both arguments must be texts.")
        }
        let parts = text.split { separators.contains($0) }
        return EvaluatedValue(elements: parts.map { .text(String($0)) })
    }

    private func cast(_ value: EvaluatedValue, to className: EvaluatedValue) throws -> EvaluatedValue {
        guard let name = className.text, let type = CastType(name) else {
            let name = className.text ?? "this class"
            throw EvaluationError.badArgument(function: rawValue, reason: "there is no cast to \(name).")
        }
        return type.cast(value) ?? .null
    }

    /// `a[1]`, `a[FIRST]`, `a["key"]`.
    private func element(of value: EvaluatedValue, at index: EvaluatedValue) throws -> EvaluatedValue {
        if value.isNull || index.isNull { return .null }
        if case .dictionary(let dictionary) = value, let key = index.text {
            return dictionary.evaluatedValue(forKey: key)
        }
        if let key = index.text { return try KeyReader.read(key, from: value) }
        guard let elements = value.elements else {
            throw EvaluationError.badArgument(function: "An index", reason: "the value is not a collection.")
        }
        if case .other(let symbolic as SymbolicIndex) = index {
            switch symbolic {
            case .first: return elements.first ?? .null
            case .last: return elements.last ?? .null
            case .size: return .integer(Int64(elements.count))
            }
        }
        guard let position = index.integerValue else {
            throw EvaluationError.badArgument(function: "An index", reason: "it is not a number.")
        }
        // An index out of bounds gives nil; Apple's systems raise an exception, which would crash a server.
        guard let place = Int(exactly: position), elements.indices.contains(place) else { return .null }
        return elements[place]
    }
}

/// The distance between two places on Earth, for objects with a `latitude` and a `longitude` in degrees.
enum GeographicDistance {
    private static let earthRadius = 6_371_008.8

    /// The great-circle distance in metres.
    static func between(_ a: EvaluatedValue, _ b: EvaluatedValue) throws -> EvaluatedValue {
        if a.isNull || b.isNull { return .null }
        guard let first = try place(a), let second = try place(b) else { return .null }
        let width = (second.longitude - first.longitude) / 2
        let height = (second.latitude - first.latitude) / 2
        let chord =
            sin(height) * sin(height) + cos(first.latitude) * cos(second.latitude) * sin(width) * sin(width)
        return .real(2 * earthRadius * asin(min(1, chord.squareRoot())))
    }

    private static func place(_ value: EvaluatedValue) throws -> (latitude: Double, longitude: Double)? {
        let latitude = try KeyReader.read("latitude", from: value).doubleValue
        let longitude = try KeyReader.read("longitude", from: value).doubleValue
        guard let latitude, let longitude else { return nil }
        return (latitude * .pi / 180, longitude * .pi / 180)
    }
}
