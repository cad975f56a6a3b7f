// Reads one key from a value: from objects, dictionaries, each element of a collection, and the few keys that texts,
// numbers and URLs support. Called for each step of a key path.

import Foundation

enum KeyReader {
    /// The value for one key, read by its slots if the object has one of them.
    ///
    /// - Throws: `EvaluationError.unknownKey`.
    static func read(_ key: String, _ slots: KeySlots? = nil, from value: EvaluatedValue) throws -> EvaluatedValue {
        switch value {
        case .readable(let object): return slots?.value(of: object) ?? EvaluatedValue(object.value(forKey: key))
        case .null: return .null
        case .dictionary(let dictionary):
            return key == "@count" ? .integer(Int64(dictionary.evaluatedCount)) : dictionary.evaluatedValue(forKey: key)
        case .collection(let collection):
            let slots = slots ?? KeySlots(key)
            return try map(collection) { try read(key, slots, from: $0) }
        case .text(let text):
            if let result = textKey(key, text) { return result }
        case .url(let url):
            if let result = urlKey(key, url) { return result }
        case .date(let date):
            switch key {
            case "timeIntervalSinceReferenceDate": return .real(date.timeIntervalSinceReferenceDate)
            case "timeIntervalSince1970": return .real(date.timeIntervalSince1970)
            default: break
            }
        case .uuid(let uuid):
            if key == "UUIDString" || key == "uuidString" { return .text(uuid.uuidString) }
        case .data(let data):
            if key == "length" || key == "count" { return .integer(Int64(data.count)) }
        case .boolean, .integer, .real, .decimal:
            if let result = numberKey(key, value) { return result }
        case .other: break
        }
        if key == "self" || key == "SELF" { return value }
        if key == "description", let description = description(of: value) { return .text(description) }
        throw EvaluationError.unknownKey(key, type: typeName(of: value))
    }

    /// Applies a reader to all elements and joins the collections among the results.
    static func map(
        _ collection: any EvaluableCollection,
        _ read: (EvaluatedValue) throws -> EvaluatedValue
    ) throws -> EvaluatedValue {
        var results: [EvaluatedValue] = []
        results.reserveCapacity(collection.evaluatedCount)
        let elements = (collection as? ComputedCollection)?.elements ?? collection.evaluatedElements()
        for element in elements {
            let result = try read(element)
            if case .collection(let inner) = result {
                results += (inner as? ComputedCollection)?.elements ?? inner.evaluatedElements()
            } else {
                results.append(result)
            }
        }
        return EvaluatedValue(elements: results, isUnordered: collection.isUnordered)
    }

    private static func textKey(_ key: String, _ text: String) -> EvaluatedValue? {
        switch key {
        case "length": return .integer(Int64(text.utf16.count))
        case "count": return .integer(Int64(text.count))
        case "uppercaseString", "uppercased": return .text(text.uppercased())
        case "lowercaseString", "lowercased": return .text(text.lowercased())
        case "capitalizedString", "capitalized": return .text(text.capitalized)
        case "lastPathComponent": return .text(TextPath(text).lastPathComponent)
        case "pathExtension": return .text(TextPath(text).pathExtension)
        case "stringByDeletingPathExtension": return .text(TextPath(text).deletingPathExtension)
        case "stringByDeletingLastPathComponent": return .text(TextPath(text).deletingLastPathComponent)
        case "integerValue", "intValue", "longLongValue": return .integer(LeadingNumber.integer(in: text))
        case "doubleValue", "floatValue": return .real(LeadingNumber.real(in: text))
        case "boolValue": return .boolean((text as NSString).boolValue)
        default: return nil
        }
    }

    private static func urlKey(_ key: String, _ url: URL) -> EvaluatedValue? {
        switch key {
        case "absoluteString": return .text(url.absoluteString)
        case "path": return .text(url.path)
        case "host": return EvaluatedValue(url.host)
        case "scheme": return EvaluatedValue(url.scheme)
        case "query": return EvaluatedValue(url.query)
        case "fragment": return EvaluatedValue(url.fragment)
        case "port": return EvaluatedValue(url.port)
        case "lastPathComponent": return .text(url.lastPathComponent)
        case "pathExtension": return .text(url.pathExtension)
        default: return nil
        }
    }

    private static func numberKey(_ key: String, _ value: EvaluatedValue) -> EvaluatedValue? {
        switch key {
        case "intValue", "integerValue", "longLongValue": return value.nearestInteger.map(EvaluatedValue.integer)
        case "doubleValue", "floatValue": return value.doubleValue.map(EvaluatedValue.real)
        case "boolValue": return value.truth.map(EvaluatedValue.boolean)
        case "stringValue": return CastType.text(of: value).map(EvaluatedValue.text)
        default: return nil
        }
    }

    private static func description(of value: EvaluatedValue) -> String? {
        CastType.text(of: value) ?? value.anyValue.map { String(describing: $0) }
    }

    private static func typeName(of value: EvaluatedValue) -> String {
        value.anyValue.map { String(describing: type(of: $0)) } ?? "nil"
    }
}
