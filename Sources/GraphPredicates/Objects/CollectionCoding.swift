// Reads and sets keys of the elements of Foundation's collections.
import Foundation

enum CollectionCoding {
    /// The value of a key for an object of a collection; logs and returns nil if the object does not have the key.
    static func value(of object: Any, _ key: String) -> Any? {
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

    static func set(_ value: Any?, _ key: String, of object: Any) {
        // Do not set keys of a dictionary: Foundation bridges its mutable ones to Swift copies.
        guard let object = object as? any KeyValueWritable else {
            return EvaluationLog.report("The key \"\(key)\" of a \(type(of: object)) cannot be set by name.")
        }
        object.setValue(value, forKey: key)
    }
}
