// Reads and sets keys of the elements of Foundation's collections.
import Foundation

enum CollectionCoding {
    /// The value of a key for an object of a collection; logs and returns nil if the object does not have the key.
    static func value(of object: Any, _ key: String) -> Any? {
        if let object = object as? NSObject, let dictionary = object as? NSDictionary, !key.hasPrefix("@") {
            return dictionary.object(forKey: key)
        }
        do {
            return try KeyReader.read(key, from: EvaluatedValue(object)).anyValue
        } catch {
            EvaluationLog.report("\(error)")
            return nil
        }
    }

    /// The value of a key path for a whole collection; logs and returns nil if the path is invalid.
    static func value(of collection: Any, path: String) -> Any? {
        do {
            return try KeyPathReader(path: path).read(from: EvaluatedValue(collection)).anyValue
        } catch {
            EvaluationLog.report("\(error)")
            return nil
        }
    }

    /// The value of a key path for a dictionary: the object that is in it, such as NSNull or a truth value.
    static func value(of dictionary: NSDictionary, keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let key = parts.first, !keyPath.hasPrefix("@"), let value = dictionary.object(forKey: key) else {
            return value(of: dictionary, path: keyPath)
        }
        guard parts.count == 2 else { return value }
        if let inner = value as? NSDictionary { return self.value(of: inner, keyPath: parts[1]) }
        return self.value(of: value, path: parts[1])
    }

    static func set(_ value: Any?, _ key: String, of object: Any) {
        // Do not set keys of a dictionary: Foundation bridges its mutable ones to Swift copies.
        guard let object = object as? any KeyValueWritable else {
            return EvaluationLog.report("The key \"\(key)\" of a \(type(of: object)) cannot be set by name.")
        }
        object.setValue(value, forKey: key)
    }
}
