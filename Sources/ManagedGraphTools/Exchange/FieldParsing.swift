// Converts texts and JSON values to attribute values, or reports why they are invalid. Used by imports; the inverse of
// FieldValue.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import ManagedGraph

/// The reason why a value is rejected.
struct FieldError: Error {
    let reason: String
}

extension Slot {
    /// Converts a JSON value to a value of the attribute.
    func value(of json: JSONValue) throws -> Value {
        switch json {
        case .null: return .null
        case .boolean(let value):
            guard type == .boolean else { throw mismatch("a boolean") }
            return .integer(value ? 1 : 0)
        case .number(let digits):
            switch type {
            case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date:
                return try value(of: digits)
            default: throw mismatch("a number")
            }
        case .string(let text): return try value(of: text)
        case .array, .object: throw mismatch(json.kind)
        }
    }

    private func mismatch(_ kind: String) -> FieldError {
        FieldError(reason: "it takes \(type.sentenceName), not \(kind)")
    }

    /// Converts a text to a value of the attribute.
    func value(of text: String) throws -> Value {
        switch type {
        case .string: return .string(text)
        case .integer16, .integer32, .integer64: return .integer(try integer(text))
        case .boolean:
            switch text.lowercased() {
            case "true", "yes", "1": return .integer(1)
            case "false", "no", "0": return .integer(0)
            default: throw unreadable(text)
            }
        case .double, .float:
            guard let number = Self.number(text) else { throw unreadable(text) }
            if number.isNaN { return try noNumber() }
            return .real(type == .float ? Double(Float(number)) : number)
        case .date:
            guard let seconds = DateText.seconds(text) ?? Self.number(text) else { throw unreadable(text) }
            return seconds.isNaN ? try noNumber() : .real(seconds)
        case .decimal: return .decimal(try decimal(text))
        case .binary, .transformable:
            guard let data = Data(base64Encoded: text) else {
                throw FieldError(reason: "\(Self.quoted(text)) is not base64")
            }
            // Keep the bytes of a transformable as stored: they need not be decoded here.
            return type == .binary ? .data(data) : .any(AnyBox(UnreadableValue(data)))
        case .uuid:
            guard let uuid = UUID(uuidString: text) else { throw unreadable(text) }
            return .uuid(uuid)
        case .uri:
            guard let url = URL(string: text), url.absoluteString == text else { throw unreadable(text) }
            return .url(url)
        case .undefined, .composite, .objectID:
            throw FieldError(reason: "attributes of this type are not imported")
        }
    }

    private func unreadable(_ text: String) -> FieldError {
        FieldError(reason: "\(Self.quoted(text)) is not \(type.sentenceName)")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + (text.count > 60 ? text.prefix(60) + "…" : text[...]) + "\""
    }

    /// SQLite cannot store NaN and keeps NULL instead.
    private func noNumber() throws -> Value {
        guard property.isOptional else {
            throw FieldError(reason: "SQLite cannot store NaN, and the property is not optional")
        }
        return .null
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "NaN", "nan": return .nan
        case "Infinity", "inf", "+Infinity": return .infinity
        case "-Infinity", "-inf": return -.infinity
        default:
            // Reject hexadecimal digits and whitespace, which Double accepts.
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) })
            else {
                return nil
            }
            return Double(text)
        }
    }

    private func integer(_ text: String) throws -> Int64 {
        guard let value = Int64(text) ?? Self.number(text).flatMap({ Int64(exactly: $0) }) else {
            throw unreadable(text)
        }
        let fits =
            switch type {
            case .integer16: Int16(exactly: value) != nil
            case .integer32: Int32(exactly: value) != nil
            default: true
            }
        guard fits else { throw FieldError(reason: "\(value) is out of the range of \(type.sentenceName)") }
        return value
    }

    private func decimal(_ text: String) throws -> Decimal {
        guard Self.number(text)?.isFinite == true,
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { throw unreadable(text) }
        return value
    }
}

extension ObjectLayout {
    /// The first violation of the model's rules by a row's attributes; relationships are checked after all rows are
    /// written.
    func problem(of values: ContiguousArray<Value>) -> FieldError? {
        for (number, rules) in validators.enumerated() {
            guard let rules, slots[number].kind == .attribute, !isPartOfNothing(number, values) else { continue }
            let slot = slots[number]
            let error: NSError?
            if slot.isTransient || slot.derivation != nil {
                continue
            } else if slot.type == .composite {
                let isEmpty = slot.elements.allSatisfy { values[$0.slot].isNull }
                error = rules.model.presenceError(isPresent: !isEmpty, of: nil)
            } else if slot.type == .transformable {
                error = rules.model.presenceError(isPresent: !values[number].isNull, of: nil)
            } else {
                error = rules.model.error(for: values[number].publicAttribute(slot.type), of: nil)
            }
            if let error { return FieldError(reason: error.localizedDescription) }
        }
        return nil
    }

    /// Whether a slot is an element of an optional composite attribute that has no value.
    private func isPartOfNothing(_ slot: Int, _ values: ContiguousArray<Value>) -> Bool {
        let composite = slots[slot].composite
        guard composite >= 0 else { return false }
        if isPartOfNothing(composite, values) { return true }
        return slots[composite].property.isOptional && slots[composite].elements.allSatisfy { values[$0.slot].isNull }
    }
}
