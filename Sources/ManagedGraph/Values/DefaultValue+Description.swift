import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles

extension DefaultValue {
    /// A default value that a user gave, in the form of its attribute's type; nil if no model file could hold it.
    init?(_ value: Any, type: GraphModel.AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64:
            guard let number = value as? NSNumber else { return nil }
            self = .integer(number.int64Value)
        case .double, .float:
            guard let number = value as? NSNumber else { return nil }
            self = .double(number.doubleValue)
        case .boolean:
            guard let number = value as? NSNumber else { return nil }
            self = .boolean(number.boolValue)
        case .decimal:
            if let decimal = value as? Decimal {
                self = .decimal(decimal)
            } else if let number = value as? NSNumber {
                self = .decimal(number.decimalValue)
            } else {
                return nil
            }
        case .string:
            guard let text = value as? String else { return nil }
            self = .string(text)
        case .date:
            guard let date = value as? Date else { return nil }
            self = .date(date)
        case .binary:
            guard let data = value as? Data else { return nil }
            self = .data(data)
        case .uuid:
            guard let uuid = value as? UUID else { return nil }
            self = .uuid(uuid)
        case .uri:
            guard let url = value as? URL else { return nil }
            self = .url(url)
        case .undefined, .transformable, .objectID, .composite:
            guard let archive = Archive.data(of: value, isSecure: false) else { return nil }
            self = .archive(archive)
        }
    }

    /// The value in the form in which attributes hold it; nil for an object whose class is not there.
    var value: Any? {
        switch self {
        case .string(let text): text
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
        case .boolean(let flag): NSNumber(value: flag)
        case .date(let date): date
        case .uuid(let uuid): uuid
        case .url(let url): url
        case .data(let data): data
        case .archive(let archive): ArchivedPlainValue.value(of: archive) ?? Archive.value(of: archive, allowed: nil)
        }
    }
}
