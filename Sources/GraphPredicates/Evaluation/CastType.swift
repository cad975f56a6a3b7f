// The classes that CAST(value, "Class") supports. Used by the functions, by the parser for literals of types without a
// literal syntax (dates), and by the printer.

import Foundation

enum CastType: String {
    case date = "NSDate"
    case number = "NSNumber"
    case string = "NSString"
    case decimal = "NSDecimalNumber"
    case uuid = "NSUUID"
    case url = "NSURL"
    case data = "NSData"

    /// The type with a class name in Apple's or Swift's spelling.
    init?(_ name: String) {
        if let type = CastType(rawValue: name) {
            self = type
            return
        }
        switch name {
        case "Date": self = .date
        case "String": self = .string
        case "Decimal": self = .decimal
        case "UUID": self = .uuid
        case "URL": self = .url
        case "Data": self = .data
        default: return nil
        }
    }

    /// Whether the printer writes constants of the type as a cast.
    var hasLiteral: Bool { self != .number && self != .string }

    /// The value as this type; nil if it cannot be converted.
    func cast(_ value: EvaluatedValue) -> EvaluatedValue? {
        switch (self, value) {
        case (_, .null): return .null
        case (.date, .date), (.string, .text), (.uuid, .uuid), (.url, .url), (.data, .data): return value
        case (.date, .text(let literal)): return Double(literal).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case (.date, _): return value.doubleValue.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case (.number, .text(let literal)): return CastType.number(in: literal)
        case (.number, .date(let date)): return .real(date.timeIntervalSinceReferenceDate)
        case (.number, _): return value.isNumber ? value : nil
        case (.decimal, .text(let literal)): return Decimal(string: literal).map(EvaluatedValue.decimal)
        case (.decimal, .date(let date)):
            return EvaluatedValue.real(date.timeIntervalSinceReferenceDate).decimalValue.map(EvaluatedValue.decimal)
        case (.decimal, _): return value.decimalValue.map(EvaluatedValue.decimal)
        case (.uuid, .text(let literal)): return UUID(uuidString: literal).map(EvaluatedValue.uuid)
        case (.url, .text(let literal)): return URL(string: literal).map(EvaluatedValue.url)
        case (.data, .text(let literal)): return Data(base64Encoded: literal).map(EvaluatedValue.data)
        case (.string, _): return CastType.text(of: value).map(EvaluatedValue.text)
        default: return nil
        }
    }

    private static func number(in literal: String) -> EvaluatedValue? {
        let literal = literal.trimmingCharacters(in: .whitespaces)
        return Int64(literal).map(EvaluatedValue.integer) ?? Double(literal).map(EvaluatedValue.real)
    }

    /// The text form of a single value.
    static func text(of value: EvaluatedValue) -> String? {
        switch value {
        case .text(let text): return text
        case .boolean(let value): return value ? "1" : "0"
        case .integer(let value): return String(value)
        case .real(let value): return Int64(exactly: value).map(String.init) ?? "\(value)"
        case .decimal(let value): return "\(value)"
        case .uuid(let value): return value.uuidString
        case .url(let value): return value.absoluteString
        case .date(let value):
            let seconds = value.timeIntervalSinceReferenceDate
            // Foundation stops the program if it describes a date that is NaN.
            return seconds.isNaN ? "\(seconds)" : value.description
        case .data(let value): return value.base64EncodedString()
        default: return nil
        }
    }
}
