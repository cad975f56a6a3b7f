// Conversion between a default value in a model file and its value in code.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles

extension DefaultValue {
    /// A default value that a user gave, in the form of its attribute's type; nil if no model file could hold it.
    init?(_ value: Any, type: GraphModel.AttributeType) {
        let number = value as? NSNumber
        let defaultValue: DefaultValue? =
            switch type {
            case .integer16, .integer32, .integer64: number.map { .integer($0.int64Value) }
            case .double, .float: number.map { .double($0.doubleValue) }
            case .boolean: number.map { .boolean($0.boolValue) }
            case .decimal: (value as? Decimal ?? number?.finiteDecimal).map { .decimal($0) }
            case .string: (value as? String).map { .string($0) }
            case .date: (value as? Date).map { .date($0) }
            case .binary: (value as? Data).map { .data($0) }
            case .uuid: (value as? UUID).map { .uuid($0) }
            case .uri: (value as? URL).map { .url($0) }
            case .undefined, .transformable, .objectID, .composite:
                Archive.data(of: value, isSecure: false).map { .archive($0) }
            }
        guard let defaultValue else { return nil }
        self = defaultValue
    }

    /// The value in the form in which attributes hold it; nil for an object whose class is not there.
    var value: Any? {
        switch self {
        case .string(let text): text
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .decimal(let decimal): NSDecimalNumberPlaceholder(decimal: decimal)
        case .boolean(let flag): NSNumber(value: flag)
        case .date(let date): date
        case .uuid(let uuid): uuid
        case .url(let url): url
        case .data(let data): data
        case .archive(let archive): ArchivedPlainValue.value(of: archive) ?? Archive.value(of: archive, allowed: nil)
        }
    }
}
