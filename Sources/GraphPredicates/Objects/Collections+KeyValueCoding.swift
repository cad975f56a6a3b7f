// Key-value coding of Foundation's collections, which Foundation lacks outside Apple's platforms. It reads keys as the
// key paths of formats do, except that it does not flatten nested arrays. Called by apps.

import Foundation

/// An object whose values can be set by name, such as a managed object.
package protocol KeyValueWritable {
    func setValue(_ value: Any?, forKey key: String)
}

extension NSArray {
    /// The values of a key for all objects, with NSNull for nil; for a key such as `@count` the result of the operator.
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
    /// The distinct values of a key of all objects, without nil.
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
    /// The distinct values of a key of all objects, in order, with NSNull for nil.
    ///
    /// - Complexity: O(n).
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        // Foundation's initializer keeps duplicates.
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
    /// The value of a key path such as `owner.name`; a null in the dictionary is NSNull.
    public func value(forKeyPath keyPath: String) -> Any? { CollectionCoding.value(of: self, keyPath: keyPath) }
}

extension NSMutableDictionary {
    /// Sets the object for a key; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value { setObject(value, forKey: NSString(string: key)) } else { removeObject(forKey: key) }
    }
}
