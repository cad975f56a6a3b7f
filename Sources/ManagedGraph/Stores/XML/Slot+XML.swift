// Converts the values of one property to and from the text in an XML store. Used by XMLStore and XMLStoreWriter.
import Foundation
import GraphArchives
import GraphModel

extension Slot {
    /// The name of the attribute's type in the file.
    var xmlType: String {
        switch type {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .boolean: "bool"
        case .double: "double"
        case .float: "float"
        case .decimal: "decimal"
        case .date: "date"
        case .string: "string"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .undefined, .objectID, .composite: "undefined"
        }
    }

    /// The minimum and maximum number of members, in the file's form.
    var xmlBounds: String {
        guard let relationship = property as? NSRelationshipDescription else { return "" }
        if kind == .toOne { return relationship.isOptional ? "0/1" : "1/1" }
        return "\(relationship.isOptional ? 0 : relationship.minCount)/\(relationship.maxCount)"
    }

    /// Parses a value from its text; nil if the text does not fit the attribute's type.
    func value(xml text: String) -> Any? {
        // Not needed by the long ones.
        lazy var trimmed = XMLText.trimmed(text)
        switch type {
        case .integer16, .integer32, .integer64: return Int64(trimmed).map { NSNumber(value: $0) }
        case .boolean:
            switch trimmed.lowercased() {
            case "1", "yes", "true": return NSNumber(value: true)
            case "0", "no", "false": return NSNumber(value: false)
            default: return nil
            }
        case .double, .float: return Double(trimmed).map { NSNumber(value: $0) }
        case .decimal:
            if trimmed == "NaN" { return NSDecimalNumber.notANumber }
            let isNumber = trimmed.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard isNumber, !trimmed.isEmpty else { return nil }
            return Decimal(string: trimmed, locale: Locale(identifier: "en_US_POSIX")).map(NSDecimalNumber.init)
        case .date: return Double(trimmed).map(Date.init(timeIntervalSinceReferenceDate:))
        case .string: return XMLText.unescaped(text)
        case .uuid: return UUID(uuidString: trimmed)
        case .uri: return URL(string: XMLText.unescaped(text))
        case .binary: return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        case .transformable:
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
                case .any(let box) = Transforming.value(from: data, slot: self)
            else { return nil }
            return box.value
        case .undefined, .objectID, .composite: return nil
        }
    }

    /// The text of a value; nil for no value.
    func xmlText(of value: Any, entity: String) throws -> String? {
        switch (type, Value(value, as: type)) {
        case (.boolean, .integer(let flag)): return flag == 0 ? "0" : "1"
        case (_, .integer(let number)): return "\(number)"
        case (.date, .real(let seconds)):
            // Use Apple's form if it round-trips to the same number.
            let digits = String(format: "%.20f", seconds)
            return Double(digits) == seconds ? digits : "\(seconds)"
        case (.float, .real(let number)): return "\(Float(number))"
        case (_, .real(let number)): return "\(number)"
        case (_, .decimal(let number)): return number.isNaN ? "NaN" : "\(number)"
        case (_, .string(let text)): return XMLText.escaped(text)
        case (_, .uuid(let uuid)): return uuid.uuidString
        case (_, .url(let url)): return XMLText.escaped(url.absoluteString)
        case (_, .data(let data)): return Self.lines(data)
        case (_, .any(let box)): return Self.lines(try Transforming.data(from: box.value, slot: self, entity: entity))
        default: return nil
        }
    }

    private static func lines(_ data: Data) -> String {
        guard !data.isEmpty else { return "" }
        return data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]) + "\n"
    }
}
