// Decodes Foundation's values from a keyed archive without NSKeyedUnarchiver, which traps if an archive is damaged.
// Used for default values, for constants in predicates and for the values in binary stores.
import Foundation

/// Foundation's values in keyed archives.
package enum ArchivedPlainValue {
    /// The value of a whole archive.
    ///
    /// - Parameter data: A keyed archive.
    /// - Returns: The value; nil if the archive contains objects of other classes, or is damaged.
    package static func value(of data: Data) -> Any? {
        guard let archive = KeyedArchive(data), let root = archive.top["root"] else { return nil }
        return value(root, of: archive)
    }

    /// Deeper collections are a cycle or an attack.
    private static let depthLimit = 16

    /// The value; nil for null and for an object of any other class.
    package static func value(_ reference: ListValue, of archive: KeyedArchive, depth: Int = 0) -> Any? {
        guard depth < depthLimit else { return nil }
        guard let object = archive.object(reference) else { return plain(archive.resolve(reference)) }
        switch object.className {
        case "NSString", "NSMutableString": return archive.text(reference)
        case "NSDate":
            guard case .real(let time)? = object.entries["NS.time"] else { return nil }
            return Date(timeIntervalSinceReferenceDate: time)
        case "NSData", "NSMutableData":
            guard case .data(let data)? = archive.value("NS.data", of: object) else { return nil }
            return data
        case "NSUUID": return uuid(archive.value("NS.uuidbytes", of: object))
        case "NSURL":
            guard let text = archive.text("NS.relative", of: object) else { return nil }
            let base = object.entries["NS.base"].flatMap { value($0, of: archive, depth: depth + 1) as? URL }
            return URL(string: text, relativeTo: base)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal(object, archive)
        case "NSNull": return NSNull()
        case "NSArray", "NSMutableArray": return members(object, archive, depth)
        case "NSSet", "NSMutableSet": return members(object, archive, depth).map { NSSet(array: $0) }
        case "NSDictionary", "NSMutableDictionary":
            guard let members = members(object, archive, depth) else { return nil }
            let pairs = archive.pairs(object)
            guard pairs.count == members.count else { return nil }
            return Dictionary(zip(pairs.map(\.key), members), uniquingKeysWith: { first, _ in first })
        default: return nil
        }
    }

    private static func plain(_ value: ListValue?) -> Any? {
        switch value {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        // No value here exceeds a signed 64-bit integer.
        case .unsigned(let number): NSNumber(value: Int64(bitPattern: number))
        case .real(let number): NSNumber(value: number)
        case .text(let text): text
        case .data(let data): data
        case .date(let date): date
        default: nil
        }
    }

    private static func members(_ object: KeyedArchive.Object, _ archive: KeyedArchive, _ depth: Int) -> [Any]? {
        let references = archive.members(object)
        let values = references.compactMap { value($0, of: archive, depth: depth + 1) }
        return values.count == references.count ? values : nil
    }

    private static func uuid(_ value: ListValue?) -> UUID? {
        guard case .data(let data)? = value, data.count == 16 else { return nil }
        var text = data.map { String(format: "%02X", $0) }.joined()
        for position in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: position)) }
        return UUID(uuidString: text)
    }

    private static func decimal(_ object: KeyedArchive.Object, _ archive: KeyedArchive) -> NSDecimalNumber? {
        guard case .data(let mantissa)? = archive.value("NS.mantissa", of: object) else { return nil }
        let archived = ArchivedDecimal(
            exponent: archive.integer("NS.exponent", of: object) ?? 0,
            length: archive.integer("NS.length", of: object) ?? 0,
            isNegative: archive.flag("NS.negative", of: object),
            isBigEndian: archive.integer("NS.mantissa.bo", of: object) == 2,
            mantissa: mantissa
        )
        return archived.value.map { NSDecimalNumber(decimal: $0) }
    }
}
