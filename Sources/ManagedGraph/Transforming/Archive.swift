// Keyed archives of single values. Outside Apple's platforms, Foundation's unarchiver traps on a class that is missing
// or not allowed, so the classes in an archive are checked before it is decoded (KeyedArchive).
import Foundation
import GraphArchives
import GraphPredicates
import Synchronization

/// Encodes and decodes keyed archives.
enum Archive {
    /// The archive of a value; nil if it cannot be archived.
    static func data(of value: Any, isSecure: Bool) -> Data? {
        if let archive = PlainArchive.data(of: value) { return archive }
        guard let object = object(of: value, isSecure) else { return nil }
        let archive = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: isSecure)
        guard let archive, PredicateArchive.needsAppleNames(archive) else { return archive }
        return try? PredicateArchive.withAppleNames(archive)
    }

    /// The value of an archive; nil if the data is not an archive, or contains a class that is missing or not allowed.
    static func value(of data: Data, allowed: [AnyClass]?) -> Any? {
        guard let archive = keyedArchive(data), archive.isBoundedTree else { return nil }
        if PropertyList.isBinary(data), !archive.isSound { return nil }
        if let allowed, !archive.holdsOnly(Set(allowed.map(name))) { return nil }
        if let plain = PlainArchive.value(of: archive) { return plain }
        guard archive.classNames.allSatisfy(isThere) else { return nil }
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = false
        // Otherwise damaged data traps.
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    /// The objects of an archive with a root object, not yet decoded; nil for other data.
    static func keyedArchive(_ data: Data) -> KeyedArchive? {
        guard let archive = KeyedArchive(readableByFoundation: data), archive.top[NSKeyedArchiveRootObjectKey] != nil
        else { return nil }
        return archive
    }

    /// Whether the class exists and can be decoded; Foundation traps on any other.
    static func isThere(_ name: String) -> Bool {
        let namedClass: AnyClass? =
            NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
            ?? (name.contains(".") ? nil : NSClassFromString("Foundation." + name))
        return namedClass is any NSCoding.Type
    }

    /// The names of classes: asking the runtime for those of a transformer takes a quarter of the time of reading a
    /// small archive.
    private static let names = Mutex<[ObjectIdentifier: String]>([:])

    private static func name(_ type: AnyClass) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            let full = String(reflecting: type)
            let name = full.hasPrefix("Foundation.") ? String(full.dropFirst("Foundation.".count)) : full
            names[ObjectIdentifier(type)] = name
            return name
        }
    }

    /// Converts a value to an `NSCoding` object, bridging Swift's own types; nil if it or a member has no such form.
    private static func object(of value: Any, _ isSecure: Bool) -> (any NSCoding)? {
        if let data = Data(of: value) { return NSData(data: data) }
        switch value {
        case let text as String: return NSString(string: text)
        case let date as Date: return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let url as URL: return url as NSURL
        case let uuid as UUID: return uuid as NSUUID
        case let number as NSDecimalNumber: return NSDecimalNumberPlaceholder(decimal: number.decimalValue)
        case let number as NSNumber: return number
        // Foundation's dictionaries return these Swift types instead of its classes.
        case let set as IndexSet: return set as NSIndexSet
        case let path as IndexPath: return path as NSIndexPath
        case let locale as Locale: return locale as NSLocale
        case let zone as TimeZone: return zone as NSTimeZone
        case let components as DateComponents: return components as NSDateComponents
        case let set as NSOrderedSet: return collection(set.array, isSecure).map { NSOrderedSet(array: $0) }
        case let array as NSMutableArray where type(of: value) is AnyClass:
            let members = (0..<array.count).map { array.object(at: $0) }
            return collection(members, isSecure).map { NSMutableArray(array: $0) }
        case let array as [Any]: return collection(array, isSecure).map { NSArray(array: $0) }
        case let set as NSSet: return collection(set.allObjects, isSecure).map { NSSet(array: $0) }
        case let dictionary as [AnyHashable: Any]: return pairs(dictionary, isSecure)
        case let object as any NSSecureCoding: return hasName(object) ? object : nil
        case let object as any NSCoding: return !isSecure && hasName(object) ? object : nil
        default: return Value.number(value)
        }
    }

    /// Whether the archiver has a name for the object's class; it traps on a nested class.
    private static func hasName(_ object: any NSCoding) -> Bool {
        isThere(name(type(of: object as AnyObject)))
    }

    private static func collection(_ members: [Any], _ isSecure: Bool) -> [Any]? {
        let objects = members.compactMap { object(of: $0, isSecure) }
        return objects.count == members.count ? objects : nil
    }

    private static func pairs(_ dictionary: [AnyHashable: Any], _ isSecure: Bool) -> NSDictionary? {
        let result = NSMutableDictionary()
        for (key, value) in dictionary {
            guard let key = object(of: key.base, isSecure) as? NSObject, let value = object(of: value, isSecure) else {
                return nil
            }
            result[key] = value
        }
        return result
    }
}
