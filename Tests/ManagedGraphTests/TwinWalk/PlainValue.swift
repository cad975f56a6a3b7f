// An attribute's value in the plain model, as returned by key-value coding; comparable and printable.
import Foundation

/// An attribute's value.
enum PlainValue: Hashable, CustomStringConvertible {
    case null
    case number(Double)
    case decimal(Decimal)
    case text(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case other(String)

    /// Converts a value from key-value coding.
    init(_ value: Any?) {
        switch value {
        case nil, is NSNull: self = .null
        case let decimal as NSDecimalNumber: self = .decimal(decimal.decimalValue)
        case let decimal as Decimal: self = .decimal(decimal)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let number as Int: self = .number(Double(number))
        case let number as Int64: self = .number(Double(number))
        case let number as Int16: self = .number(Double(number))
        case let number as Double: self = .number(number)
        case let flag as Bool: self = .number(flag ? 1 : 0)
        case let text as String: self = .text(text)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .url(url)
        case let other?: self = .other("\(type(of: other)) \(other)")
        }
    }

    /// The value for key-value coding.
    var any: Any? {
        switch self {
        case .null, .other: nil
        case .number(let number): NSNumber(value: number)
        case .decimal(let decimal): decimal
        case .text(let text): text
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .url(let url): url
        }
    }

    var description: String {
        switch self {
        case .null: "nil"
        case .number(let number): "\(number)"
        case .decimal(let decimal): "\(decimal)"
        case .text(let text): "\"\(text)\""
        case .date(let date): "@\(date.timeIntervalSinceReferenceDate)"
        case .data(let data): "<\(data.count) bytes>"
        case .uuid(let uuid): String(uuid.uuidString.suffix(3))
        case .url(let url): url.absoluteString
        case .other(let text): text
        }
    }
}
