// Announcements of changes by Swift key paths. In an extension of a protocol, because a key path of the very class that calls
// is taken only there.
import Foundation
import GraphPredicates

extension KeyPathNaming where Self: NSManagedObject {
    /// Announces that a property will change; needed around primitive setters only.
    ///
    /// - Parameter keyPath: A key path of one property; others are ignored.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.managedKey(for: keyPath) { willChangeValue(forKey: key) }
    }

    /// Announces that a property has changed; needed around primitive setters only.
    ///
    /// - Parameter keyPath: A key path of one property; others are ignored.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        if let key = Self.managedKey(for: keyPath) { didChangeValue(forKey: key) }
    }
}
