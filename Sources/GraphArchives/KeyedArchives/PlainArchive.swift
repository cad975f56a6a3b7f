// Archives of plain values only: texts, numbers, dates, data, addresses, UUIDs and collections of them. Foundation's
// archiver and unarchiver take some fifty times as long for them. Called for the values of transformable attributes.
import Foundation

/// Keyed archives whose objects are all of Foundation's immutable value classes.
package enum PlainArchive {
    /// Deeper collections are left to Foundation's archiver.
    private static let depthLimit = 16

    /// The archive of a value, with the classes that Foundation's archiver would write.
    ///
    /// O(n) in the archive.
    ///
    /// - Parameter value: The value, in Swift's or Foundation's types.
    /// - Returns: The archive; nil if the value has, or contains, another type.
    package static func data(of value: Any) -> Data? {
        var writer = KeyedArchiveWriter()
        guard let root = reference(to: value, in: &writer, depth: 0) else { return nil }
        return writer.data(top: [NSKeyedArchiveRootObjectKey: root])
    }

    private static func reference(to value: Any, in writer: inout KeyedArchiveWriter, depth: Int) -> ListValue? {
        guard depth < depthLimit else { return nil }
        if type(of: value) is AnyClass { return reference(toObject: value as AnyObject, in: &writer, depth: depth) }
        switch value {
        case let text as String: return writer.plain(.text(text))
        case let flag as Bool: return writer.plain(.boolean(flag))
        case let number as any BinaryInteger: return Int64(exactly: number).map { writer.plain(.integer($0)) }
        case let number as Double: return writer.plain(.real(number))
        case let number as Float: return writer.plain(.real(Double(number)))
        case let data as Data: return writer.plain(.data(data))
        case let date as Date: return writer.date(date)
        case let uuid as UUID: return writer.uuid(uuid)
        case let url as URL: return url.baseURL == nil ? writer.url(url) : nil
        case let members as [Any]: return collection(members, .array, in: &writer, depth: depth)
        // Foundation's collections return sets in them as Swift's.
        case let members as Set<AnyHashable>: return collection(members.map(\.base), .set, in: &writer, depth: depth)
        case let pairs as [String: Any]:
            return dictionary(pairs.map { ($0.key, $0.value) }, in: &writer, depth: depth)
        default: return nil
        }
    }

    /// The reference to an object; subclasses that users or other parts of Foundation have made are not plain.
    private static func reference(
        toObject value: AnyObject,
        in writer: inout KeyedArchiveWriter,
        depth: Int
    ) -> ListValue? {
        switch value {
        case let text as NSString:
            return type(of: text) == NSString.self ? writer.plain(.text(String(describing: text))) : nil
        // Flags have a class of their own.
        case let number as NSNumber: return number is NSDecimalNumber ? nil : plain(number, in: &writer)
        case let array as NSArray:
            guard type(of: array) == NSArray.self else { return nil }
            return collection((0..<array.count).map { array.object(at: $0) }, .array, in: &writer, depth: depth)
        case let dictionary as NSDictionary:
            guard type(of: dictionary) == NSDictionary.self else { return nil }
            var pairs: [(Any, Any)] = []
            dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in pairs.append((key, value)) }
            return Self.dictionary(pairs, in: &writer, depth: depth)
        case let set as NSSet:
            guard type(of: set) == NSSet.self else { return nil }
            return collection(set.allObjects, .set, in: &writer, depth: depth)
        case let date as NSDate: return type(of: date) == NSDate.self ? writer.date(date as Date) : nil
        case let data as NSData: return type(of: data) == NSData.self ? writer.plain(.data(Data(copying: data))) : nil
        case let url as NSURL:
            return type(of: url) == NSURL.self ? reference(to: url as URL, in: &writer, depth: depth) : nil
        case let uuid as NSUUID: return type(of: uuid) == NSUUID.self ? writer.uuid(uuid as UUID) : nil
        case is NSNull: return writer.nothing()
        default: return nil
        }
    }

    private static func plain(_ number: NSNumber, in writer: inout KeyedArchiveWriter) -> ListValue? {
        // Those above the largest signed number are left to Foundation.
        let isUnsigned = UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "Q")
        return isUnsigned && number.uint64Value > Int64.max ? nil : writer.plain(ListValue(number))
    }

    private static func collection(
        _ members: [Any],
        _ kind: KeyedArchiveWriter.Collection,
        in writer: inout KeyedArchiveWriter,
        depth: Int
    ) -> ListValue? {
        // The collection precedes its members, as in Apple's archives.
        let place = writer.reserve()
        var references: [ListValue] = []
        references.reserveCapacity(members.count)
        for member in members {
            guard let reference = reference(to: member, in: &writer, depth: depth + 1) else { return nil }
            references.append(reference)
        }
        writer.fill(place, classes: kind.classes, entries: ["NS.objects": .array(references)])
        return place
    }

    private static func dictionary(
        _ pairs: [(Any, Any)],
        in writer: inout KeyedArchiveWriter,
        depth: Int
    ) -> ListValue? {
        let place = writer.reserve()
        var (keys, values): ([ListValue], [ListValue]) = ([], [])
        for (key, value) in pairs {
            guard let key = reference(to: key, in: &writer, depth: depth + 1),
                let value = reference(to: value, in: &writer, depth: depth + 1)
            else { return nil }
            keys.append(key)
            values.append(value)
        }
        writer.fill(
            place,
            classes: ["NSDictionary", "NSObject"],
            entries: ["NS.keys": .array(keys), "NS.objects": .array(values)]
        )
        return place
    }

    // MARK: Reading

    /// The classes whose objects Foundation's unarchiver would return as they are returned here.
    private static let classes: Set<String> = [
        "NSArray", "NSDictionary", "NSSet", "NSString", "NSDate", "NSData", "NSURL", "NSUUID", "NSNull",
    ]

    /// The value of an archive as Foundation's unarchiver returns it: an object of Foundation's, whose members have
    /// Swift's types.
    ///
    /// O(n) in the archive.
    ///
    /// - Parameter archive: An archive with a root object.
    /// - Returns: The value; nil if the archive contains other classes, or a value that Swift's types have no room for.
    package static func value(of archive: KeyedArchive) -> Any? {
        guard let root = archive.top[NSKeyedArchiveRootObjectKey], archive.objects.allSatisfy(isPlain),
            let value = ArchivedPlainValue.value(root, of: archive, keepsFlags: true)
        else { return nil }
        switch value {
        case let object as NSObject where type(of: value) is AnyClass: return object
        case let text as String: return NSString(string: text)
        case let flag as Bool: return NSNumber(value: flag)
        case let members as [Any]: return NSArray(array: members)
        case let pairs as [String: Any]: return NSDictionary(dictionary: pairs)
        case let date as Date: return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: return NSData(data: data)
        case let url as URL: return url as NSURL
        case let uuid as UUID: return uuid as NSUUID
        default: return nil
        }
    }

    private static func isPlain(_ object: ListValue) -> Bool {
        switch object {
        case .dictionary(let entries):
            guard case .text(let name)? = entries["$classname"] else { return true }
            return classes.contains(name)
        case .unsigned: return false
        default: return true
        }
    }
}
