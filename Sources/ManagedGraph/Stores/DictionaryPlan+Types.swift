// Values of columns in dictionaries, in the types that their descriptions ask for. Called by whatever makes dictionaries.
import Foundation
import GraphModel
import GraphPredicates

extension DictionaryPlan {
    /// A column's value in the type that its expression description asks for.
    ///
    /// - Parameters:
    ///   - value: The value as it was computed.
    ///   - column: The column's place.
    /// - Returns: The value in that type; as it is where none is asked for, or where the value has no form in it.
    func typed(_ value: Any, column: Int) -> Any {
        guard types.indices.contains(column), let type = types[column] else { return value }
        return Self.converted(value, to: type) ?? value
    }

    /// Puts a value into a dictionary, or into one of the dictionaries in it.
    static func put(_ value: Any, at place: ArraySlice<String>, into row: inout [String: Any]) {
        guard let name = place.first else { return }
        guard place.count > 1 else {
            row[name] = value
            return
        }
        var inner = row[name] as? [String: Any] ?? [:]
        put(value, at: place.dropFirst(), into: &inner)
        row[name] = inner
    }

    private static func converted(_ value: Any, to type: AttributeType) -> Any? {
        let evaluated = EvaluatedValue(value)
        switch type {
        case .integer16: return number(evaluated, Int16.self).map { NSNumber(value: $0) }
        case .integer32: return number(evaluated, Int32.self).map { NSNumber(value: $0) }
        case .integer64: return number(evaluated, Int64.self).map { NSNumber(value: $0) }
        case .double: return evaluated.seconds.map { NSNumber(value: $0) }
        case .float: return evaluated.seconds.map { NSNumber(value: Float($0)) }
        case .boolean: return evaluated.doubleValue.map { NSNumber(value: $0 != 0) }
        case .decimal:
            return decimal(evaluated).map { NSDecimalNumber(decimal: $0) }
        case .date: return evaluated.doubleValue.map { Date(timeIntervalSinceReferenceDate: $0) }
        case .string: return Value.number(value)?.stringValue
        case .binary, .uuid, .uri, .transformable, .objectID, .composite, .undefined: return nil
        }
    }

    /// A number as a decimal that reads like it.
    private static func decimal(_ value: EvaluatedValue) -> Decimal? {
        switch value {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        default: value.seconds.flatMap { Decimal(string: "\($0)") }
        }
    }

    /// A whole number, the fraction cut off; nil where it does not fit, so that no digits are lost.
    private static func number<Whole: FixedWidthInteger>(_ value: EvaluatedValue, _ type: Whole.Type) -> Whole? {
        if case .integer(let value) = value { return Whole(exactly: value) }
        if case .boolean(let value) = value { return value ? 1 : 0 }
        guard let real = value.seconds, real.isFinite else { return nil }
        return Whole(exactly: real.rounded(.towardZero))
    }
}

extension EvaluatedValue {
    /// A number, or the seconds of a date.
    fileprivate var seconds: Double? {
        if case .date(let date) = self { return date.timeIntervalSinceReferenceDate }
        return doubleValue
    }
}
