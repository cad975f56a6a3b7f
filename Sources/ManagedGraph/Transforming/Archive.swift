// Keyed archives of single values. Foundation's unarchiver off Apple stops the program where it meets a class that is not
// allowed or not there, so that an archive's classes are looked at before it is read.
import Foundation

/// Makes and reads keyed archives.
enum Archive {
    /// The archive of a value; nil where it cannot be archived.
    static func data(of value: Any, isSecure: Bool) -> Data? {
        guard let object = object(of: value) else { return nil }
        if isSecure, !(object is any NSSecureCoding) { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: isSecure)
    }

    /// The value of an archive; nil where it is none, or holds a class that is not there or not allowed.
    static func value(of data: Data, allowed: [AnyClass]?) -> Any? {
        guard let classes = classNames(in: data) else { return nil }
        if let allowed {
            let names = Set(allowed.map(name))
            guard classes.allSatisfy({ !names.isDisjoint(with: $0) }) else { return nil }
        }
        guard classes.allSatisfy({ $0.first.map(isThere) ?? false }) else { return nil }
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = false
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    }

    /// For each class of an archive its name, then those of its superclasses; nil where the data are no archive.
    private static func classNames(in data: Data) -> [[String]]? {
        guard let plist = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let archive = plist as? [String: Any], let objects = archive["$objects"] as? [Any], archive["$top"] != nil
        else { return nil }
        return objects.compactMap { object in
            guard let description = object as? [String: Any], let name = description["$classname"] as? String else {
                return nil
            }
            let others = (description["$classes"] as? [String] ?? []).filter { $0 != name }
            return [name] + others
        }
    }

    private static func isThere(_ name: String) -> Bool {
        NSKeyedUnarchiver.class(forClassName: name) != nil || NSClassFromString(name) != nil
            || NSClassFromString("Foundation." + name) != nil
    }

    private static func name(_ type: AnyClass) -> String {
        let name = NSStringFromClass(type)
        return name.hasPrefix("Foundation.") ? String(name.dropFirst("Foundation.".count)) : name
    }

    /// A value as an object with coding: Swift's own types as Foundation's.
    private static func object(of value: Any) -> (any NSCoding)? {
        switch value {
        case let text as String: NSString(string: text)
        case let data as Data: NSData(data: data)
        case let date as Date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let url as URL: url as NSURL
        case let uuid as UUID: uuid as NSUUID
        case let number as NSNumber: number
        case let object as any NSCoding: object
        case let array as [Any]: collection(array).map { NSArray(array: $0) }
        case let dictionary as [AnyHashable: Any]: pairs(dictionary)
        case let set as Set<AnyHashable>: collection(set.map(\.base)).map { NSSet(array: $0) }
        default: Value.number(value)
        }
    }

    private static func collection(_ members: [Any]) -> [Any]? {
        let objects = members.compactMap { object(of: $0) }
        return objects.count == members.count ? objects : nil
    }

    private static func pairs(_ dictionary: [AnyHashable: Any]) -> NSDictionary? {
        let result = NSMutableDictionary()
        for (key, value) in dictionary {
            guard let key = key.base as? String, let value = object(of: value) else { return nil }
            result[NSString(string: key)] = value
        }
        return result
    }
}
