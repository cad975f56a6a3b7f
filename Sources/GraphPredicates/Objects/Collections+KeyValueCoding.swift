// Key-value coding of Foundation's collections, which Foundation leaves out off Apple's systems. It reads as key paths in
// formats do, but that an array in an array stays one. Callers are the users of the package.

import Foundation

/// An object whose values can be set by name, as managed objects' can.
package protocol KeyValueWritable {
    func setValue(_ value: Any?, forKey key: String)
}

enum CollectionCoding {
    /// The value of a key for an object of a collection; nil, which is logged, where the object cannot have the key.
    static func value(of object: Any, _ key: String) -> Any? {
        do {
            return try KeyReader.read(key, from: EvaluatedValue(object)).anyValue
        } catch {
            EvaluationLog.report("\(error)")
            return nil
        }
    }

    /// The value of a key path for a whole collection; nil, which is logged, where it leads nowhere.
    static func value(of collection: Any, path: String) -> Any? {
        do {
            return try KeyPathReader(path: path).read(from: EvaluatedValue(collection)).anyValue
        } catch {
            EvaluationLog.report("\(error)")
            return nil
        }
    }

    static func set(_ value: Any?, _ key: String, of object: Any) {
        // A dictionary would be a copy: Foundation gives its mutable ones out as Swift's.
        guard let object = object as? any KeyValueWritable else {
            return EvaluationLog.report("The key \"\(key)\" of a \(type(of: object)) cannot be set by name.")
        }
        object.setValue(value, forKey: key)
    }
}

extension NSArray {
    /// The values of a key for all objects, with NSNull for nil; for a key such as `@count` the operator's value.
    ///
    /// See [value(forKey:)](https://developer.apple.com/documentation/foundation/nsarray/1412219-value).
    ///
    /// - Complexity: O(n).
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        return map { CollectionCoding.value(of: $0, key) ?? NSNull() }
    }

    /// The value of a key path such as `@sum.price` or `owner.name`.
    public func value(forKeyPath keyPath: String) -> Any? { CollectionCoding.value(of: self, path: keyPath) }

    /// Sets a value of all objects, which must be managed objects.
    public func setValue(_ value: Any?, forKey key: String) {
        for object in self { CollectionCoding.set(value, key, of: object) }
    }
}

extension NSSet {
    /// The different values of a key of all objects; nil is left out.
    ///
    /// See [value(forKey:)](https://developer.apple.com/documentation/foundation/nsset/1414399-value).
    ///
    /// - Complexity: O(n).
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        return NSSet(array: compactMap { CollectionCoding.value(of: $0, key) })
    }

    /// The value of a key path such as `@sum.price` or `owner.name`.
    public func value(forKeyPath keyPath: String) -> Any? { CollectionCoding.value(of: self, path: keyPath) }

    /// Sets a value of all objects, which must be managed objects.
    public func setValue(_ value: Any?, forKey key: String) {
        for object in self { CollectionCoding.set(value, key, of: object) }
    }
}

extension NSOrderedSet {
    /// The different values of a key of all objects, in order, with NSNull for nil.
    ///
    /// - Complexity: O(n).
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        // Foundation's initializer keeps what is equal.
        let values = HashedValue.distinct(map { EvaluatedValue(CollectionCoding.value(of: $0, key)) })
        return NSOrderedSet(array: values.map { $0.anyValue ?? NSNull() })
    }

    /// The value of a key path such as `@sum.price` or `owner.name`.
    public func value(forKeyPath keyPath: String) -> Any? { CollectionCoding.value(of: self, path: keyPath) }

    /// Sets a value of all objects, which must be managed objects.
    public func setValue(_ value: Any?, forKey key: String) {
        for object in self { CollectionCoding.set(value, key, of: object) }
    }
}

extension NSDictionary {
    /// The value of a key path such as `owner.name`.
    public func value(forKeyPath keyPath: String) -> Any? { CollectionCoding.value(of: self, path: keyPath) }
}

extension NSMutableDictionary {
    /// Sets the object of a key; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value { setObject(value, forKey: NSString(string: key)) } else { removeObject(forKey: key) }
    }
}
