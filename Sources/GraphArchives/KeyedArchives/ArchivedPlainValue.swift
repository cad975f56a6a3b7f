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

    /// The value; nil for null and for an object of any other class.
    ///
    /// O(objects reached): collections to which several references lead are decoded once, and share their memory.
    ///
    /// - Parameters:
    ///   - reference: The reference to the value.
    ///   - archive: The archive.
    ///   - keepsFlags: Whether flags become `Bool`, as in collections that Foundation has read, and not `NSNumber`.
    /// - Returns: The value.
    package static func value(
        _ reference: ListValue,
        of archive: KeyedArchive,
        keepsFlags: Bool = false
    ) -> Any? {
        var state = State(keepsFlags: keepsFlags)
        return value(reference, of: archive, 0, &state)
    }

    /// Deeper collections are an attack.
    private static let depthLimit = 16

    private struct State {
        let keepsFlags: Bool
        /// The collections decoded so far, by number; nil for one that has no value or is being decoded, and so is a
        /// cycle.
        var collections: [Int: Any?] = [:]
    }

    private static func value(
        _ reference: ListValue,
        of archive: KeyedArchive,
        _ depth: Int,
        _ state: inout State
    ) -> Any? {
        guard depth < depthLimit else { return nil }
        guard let object = archive.object(reference) else { return plain(archive.resolve(reference), state) }
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
            guard let relativeAddress = archive.text("NS.relative", of: object) else { return nil }
            let base = object.entries["NS.base"].flatMap { value($0, of: archive, depth + 1, &state) as? URL }
            return URL(string: relativeAddress, relativeTo: base)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal(object, archive)
        case "NSNull": return NSNull()
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary", "NSMutableDictionary":
            if let decoded = state.collections[object.number] { return decoded }
            state.collections.updateValue(nil, forKey: object.number)
            let newCollection = collection(object, archive, depth, &state)
            state.collections.updateValue(newCollection, forKey: object.number)
            return newCollection
        default: return nil
        }
    }

    private static func plain(_ value: ListValue?, _ state: State) -> Any? {
        switch value {
        case .boolean(let flag): if state.keepsFlags { flag } else { NSNumber(value: flag) }
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

    private static func collection(
        _ object: KeyedArchive.Object,
        _ archive: KeyedArchive,
        _ depth: Int,
        _ state: inout State
    ) -> Any? {
        let references = archive.members(object)
        var members: [Any] = []
        members.reserveCapacity(references.count)
        for reference in references {
            guard let member = value(reference, of: archive, depth + 1, &state) else { return nil }
            members.append(member)
        }
        switch object.className {
        case "NSArray", "NSMutableArray": return members
        case "NSSet", "NSMutableSet": return NSSet(array: members)
        default:
            let pairs = archive.pairs(object)
            guard pairs.count == members.count else { return nil }
            return Dictionary(zip(pairs.map(\.key), members), uniquingKeysWith: { first, _ in first })
        }
    }

    private static func uuid(_ value: ListValue?) -> UUID? {
        guard case .data(let data)? = value, data.count == 16 else { return nil }
        return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
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
        return archived.value.map { NSDecimalNumberPlaceholder(decimal: $0) }
    }
}
